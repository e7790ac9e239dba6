'use client';
export function PacketEditorPage({ property_id, id }: { property_id: string; id: string }) {
  return (
    <p>
      {property_id} {id}
    </p>
  );
}
