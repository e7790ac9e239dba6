'use client';
import QRCode from 'qrcode';
import { useEffect, useState } from 'react';

/**
 * Shows a link as a QR code. The code is generated in the browser, so that no other service learns
 * the link.
 */
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
