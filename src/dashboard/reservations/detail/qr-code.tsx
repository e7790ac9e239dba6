'use client';
import QRCode from 'qrcode';
import { useEffect, useState } from 'react';

/** A link as a QR code, generated in the browser, so that the link is sent nowhere. */
export default function QrCode({ value, label }: { value: string; label: string }) {
  const [image, setImage] = useState<string | null>(null);
  useEffect(() => {
    let current = true;
    void QRCode.toDataURL(value, { margin: 1, width: 400 }).then((made) => current && setImage(made));
    return () => {
      current = false;
    };
  }, [value]);
  return (
    <div className="mx-auto size-48 overflow-hidden rounded-lg border bg-white">
      {/* biome-ignore lint/performance/noImgElement: a data URL made here; there is nothing to optimise. */}
      {image ? <img src={image} alt={label} className="size-full" /> : null}
    </div>
  );
}
