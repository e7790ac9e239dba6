/**
 * Validates a draft with the API's schema. Loaded with the first change, because the schema needs
 * zod. Pure.
 */
import { PacketContent } from '@/modules/packets/schemas';
import { describeSchemaIssue } from '../../i18n/schema-words';
import type { PacketContentSchemaValidator } from './draft';

export const validatePacketContentWithSchema: PacketContentSchemaValidator = (content, errors, { own, ui }) => {
  const parsed = PacketContent.safeParse(content);
  for (const issue of parsed.error?.issues ?? []) {
    const [field, index, part] = issue.path;
    const item =
      field === 'rules' || field === 'fees' ? (content[field][index as number] as { id?: string } | undefined) : null;
    const key = item
      ? `${String(field)}.${item.id}.${String(part === 'amount_cents' ? 'amount' : part)}`
      : issue.path.join('.');
    const missing = issue.code === 'too_small' && issue.origin === 'string';
    errors[key] ??= missing ? own('write_what_it_is_called') : describeSchemaIssue(issue, ui);
  }
};
