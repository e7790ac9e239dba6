import { PacketEditorPage } from '@/dashboard/packets/editor/editor-page';
import { titled } from '../../../../../words';

export const generateMetadata = titled('packet');

export default async function Page({ params }: { params: Promise<{ id: string; packet_id: string }> }) {
  const { id, packet_id } = await params;
  return <PacketEditorPage property_id={id} id={packet_id} />;
}
