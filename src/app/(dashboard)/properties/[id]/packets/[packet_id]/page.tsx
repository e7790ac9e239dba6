import { PacketEditorPage } from '@/dashboard/packets/editor/editor-page';
import { defineTranslatedPage } from '../../../../../server-translations';

const { generateMetadata, Page } = defineTranslatedPage(
  'packet',
  ['terms', 'packets', 'everywhere', 'reservations'],
  ({ id, packet_id }: { id: string; packet_id: string }) => <PacketEditorPage property_id={id} id={packet_id} />,
);

export { generateMetadata, Page as default };
