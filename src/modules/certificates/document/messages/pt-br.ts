import type { Messages } from './en';
import { pt } from './pt';

/** What both write alike is the European file's. */
export const ptBR: Messages = {
  ...pt,
  acceptances: 'Aceito em separado',
  accepted_at: 'Aceito {time}',
  lead: '{name} assinou eletronicamente em {date}, para a hospedagem de {checkin} a {checkout}: {property}.',
  verify_hint:
    'Leia o código ou abra o endereço. A página informa se o arquivo, o conteúdo e o registro estão como foram selados.',
  email_confirmed: 'confirmado por um código de uso único',
  email_unknown: 'não informado',
  stay: 'Hospedagem',
  signed_local: 'Assinado, horário da acomodação',
  photo: 'Foto',
  embedded_in: 'Exibido dentro de uma página de outro site, segundo o navegador: {origin}',
  unknown: 'não registrado',
  damaged: 'o arquivo guardado foi danificado antes de ser selado',
  acknowledged_intro: 'Exatamente o que o hóspede viu antes de assinar. Pacote “{packet}”, apresentado em {language}.',
  arrival_intro:
    'Quando o hóspede podia vê-las. Seguem as notas visíveis antes da assinatura; códigos e senhas não fazem parte do certificado.',
  release_manual: 'quando o anfitrião as libera',
  trail_section: 'Registro',
  trail_intro:
    'A impressão digital de cada entrada abrange a entrada e a impressão anterior, de modo que nenhuma pode ser alterada ou removida sem que se perceba.',
  integrity_seal:
    'O arquivo tem um selo digital sobre todos os seus bytes. Um leitor de PDF que mostre assinaturas, ou uma ferramenta como o pdfsig, informa se algum byte foi alterado desde então.',
  integrity_attachments:
    'Há dois arquivos anexos: snapshot.json, cujo SHA-256 é a impressão digital do conteúdo, e audit-trail.json, com o conteúdo e todas as entradas do registro.',
  times_own: 'Todos os horários são os do relógio do servidor.',
  times_stamped:
    'Todos os horários são os do relógio do servidor, exceto um: o selo traz o carimbo do tempo de uma autoridade independente (RFC 3161), que diz quando o arquivo selado existia. Os leitores de PDF o mostram junto da assinatura.',
  trail_type: {
    ...pt.trail_type,
    'reservation.sent': 'Link enviado ao hóspede',
    'reservation.resent': 'Link enviado novamente',
    'reservation.arrival_details_held': 'Informações de chegada retidas até a assinatura',
    'reservation.arrival_details_released': 'Informações de chegada liberadas',
    'reservation.arrival_details_override_released': 'Informações de chegada liberadas mais cedo pelo anfitrião',
    'reservation.ignored': 'Reserva deixada de lado',
    'reservation.restored': 'Reserva restaurada',
    'share_link.created': 'Link compartilhado criado',
    'arrival_details.groups_released': 'Informações de chegada liberadas em parte pelo anfitrião',
  },
};
