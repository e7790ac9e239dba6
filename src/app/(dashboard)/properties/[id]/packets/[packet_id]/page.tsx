import { PacketEditorPage } from '@/dashboard/packets/editor/editor-page';
import { titled, Words } from '../../../../../words';

export const generateMetadata = titled('packet');

export default async function Page({ params }: { params: Promise<{ id: string; packet_id: string }> }) {
  const { id, packet_id } = await params;
  return (
    <Words of={['terms', 'packets']}>
      <PacketEditorPage property_id={id} id={packet_id} />
    </Words>
  );
}
