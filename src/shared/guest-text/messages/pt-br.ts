import { pt } from './pt';
import type { Messages } from './types';

/** Brazilian Portuguese. The guest is addressed with “você”; what both write alike is the European file's. */
export const ptBR: Messages = {
  ...pt,
  'footer.personal': 'Esta página é pessoal. Por favor, não compartilhe o link com outras pessoas.',
  'footer.product': 'Assinado e guardado com o Threshold',
  test_mode: 'Modo de teste: o que é assinado aqui não tem validade.',

  'stay.title': 'Sua hospedagem',

  'sign.heading': 'Antes da sua chegada: {property}',
  'sign.lead': {
    one: 'Leia o conteúdo a seguir e assine no final. Leva cerca de um minuto.',
    other: 'Leia o conteúdo a seguir e assine no final. Leva cerca de {count} minutos.',
  },
  'sign.held_hint': 'Algumas informações de chegada aparecem assim que você assinar.',

  'welcome.title': 'Uma mensagem do seu anfitrião',
  'rules.none': 'Seu anfitrião não definiu regras especiais.',
  'category.access': 'Entrada e saída',
  'category.noise': 'Barulho e horário de silêncio',
  'category.trash': 'Lixo e reciclagem',
  'category.damage': 'Cuidados e danos',

  'fees.intro': 'Nada é cobrado nesta página. Estes são os valores definidos pelo seu anfitrião.',
  'fees.none': 'Seu anfitrião não cobra taxas adicionais.',
  'fees.mandatory': 'Em todas as hospedagens',
  'fees.conditional': 'Somente quando se aplicam',
  'fee_when.mandatory': 'Aplica-se à sua hospedagem',
  'fee_when.mandatory_deposit': 'Caução da sua hospedagem',
  'fee_when.conditional': 'Somente no caso descrito',
  'fee_when.conditional_pet': 'Somente se você trouxer um animal de estimação',
  'fee_when.conditional_extra_guest': 'Somente para hóspedes além do número reservado',
  'fee_when.conditional_early_checkin': 'Somente se você fizer o check-in mais cedo',
  'fee_when.conditional_late_checkout': 'Somente se você fizer o check-out mais tarde',
  'fee_when.conditional_smoking': 'Somente se alguém fumar onde não é permitido',
  'fee_when.conditional_damage': 'Somente se algo for danificado',
  'fee_when.conditional_lost_key': 'Somente se uma chave ou um cartão for perdido',
  'fee_when.conditional_noise_party': 'Somente após uma festa ou reclamação de barulho',
  'fee_when.conditional_excess_cleaning': 'Somente se for necessária uma limpeza fora do normal',
  'fee_when.conditional_parking': 'Somente se você usar o estacionamento',
  'unit.stay': 'por hospedagem',

  'arrival.title': 'Informações de chegada',
  'arrival.held_signing': 'Aparece assim que você assinar',
  'arrival.held_host': 'Seu anfitrião informa diretamente',

  'changed.title': 'Seu anfitrião alterou algo',
  'changed.body':
    'A página foi atualizada depois que você a abriu, por isso nada foi assinado ainda. O que mudou está marcado abaixo. Leia e assine novamente.',
  'changed.body_unmarked':
    'A página foi atualizada depois que você a abriu, por isso nada foi assinado ainda. Não foi possível marcar o que mudou. Leia tudo de novo e assine novamente.',

  'error.name_required': 'Digite seu nome completo.',
  'error.name_too_long': 'O nome é longo demais. Use no máximo 120 caracteres.',
  'error.consent_required': 'Marque a caixa para concordar em assinar eletronicamente.',
  'error.photo_required': 'Adicione uma foto sua. Seu anfitrião pede uma.',
  'error.photo_invalid': 'Não foi possível ler este arquivo como foto. Tente outro.',
  'error.photo_too_large': 'A foto é grande demais. Tente outra.',
  'error.code_required': 'Digite o código que enviamos.',
  'error.code_invalid': 'Este código não está certo. Confira ou peça um novo.',
  'error.code_too_many': 'Muitas tentativas com este código. Peça um novo.',
  'error.email_required': 'Digite seu e-mail.',
  'error.email_invalid': 'Digite um e-mail como nome@example.com.',
  'error.rate_limited': 'Muitas tentativas. Aguarde um minuto e tente de novo.',

  'form.title': 'Sua assinatura',
  'form.name_label': 'Seu nome completo',
  'form.name_hint': 'O nome que você digitar é a sua assinatura.',
  'form.draw_hint': 'Com o dedo, uma caneta ou o mouse.',
  'form.consent_title': 'Assinatura eletrônica',
  'form.review': 'Revisar e assinar',
  'form.sending': 'Assinando…',
  'form.offline': 'Parece que você está sem conexão. Nada se perdeu: tente de novo quando estiver online.',

  'photo.why':
    'Seu anfitrião pede uma foto no momento da assinatura. Ela é reduzida, a localização e outros dados ocultos são removidos, ela é guardada criptografada e só o seu anfitrião pode vê-la.',
  'photo.working': 'Preparando sua foto…',
  'photo.ready': 'Sua foto está pronta.',
  'photo.alt': 'A foto que você adicionou',
  'photo.noscript': 'Escolha um arquivo JPEG ou PNG de até 10 MB. Ele é verificado na próxima etapa.',

  'code.title': 'Confirme que é você',
  'code.explain': 'Antes de você assinar, enviamos um código para {email}.',
  'code.sending': 'Enviando…',
  'code.sent': 'Enviamos um código para {email}. Ele vale por {minutes} minutos.',
  'code.hint': '6 dígitos. Se não chegar, confira a pasta de spam.',
  'code.confirmed': 'Seu e-mail está confirmado.',

  'consent.scope':
    'Você está prestes a assinar eletronicamente uma declaração de que conhece as informações desta página. O nome que você digitar e a escolha de “Assinar agora” valem como sua assinatura nos termos do ESIGN Act e da UETA dos Estados Unidos, e como assinatura eletrônica nos termos do Regulamento europeu eIDAS (UE) n.º 910/2014.',
  'consent.choice':
    'Você não é obrigado a assinar desta forma. Enquanto não assinar, pode desistir fechando esta página e pedir ao seu anfitrião uma versão em papel. Desistir depois não anula uma assinatura já feita.',
  'consent.access':
    'Para ler e guardar o documento, você precisa de um navegador atual, de um programa para arquivos PDF e de um e-mail. Depois de assinar, você recebe uma cópia que pode ver, salvar e imprimir, e pode pedir outra em papel ao seu anfitrião. A cópia em papel é gratuita. Para alterar seu e-mail ou outros dados de contato, fale com o seu anfitrião.',
  'consent.record':
    'Como prova, registramos o que foi mostrado a você, a data e a hora, seu nome, seu endereço IP e seu navegador. Este consentimento vale apenas para esta declaração.',
  'consent.statement':
    'Li as regras da casa, as taxas e as demais informações acima. Eu as aceito e concordo em assinar eletronicamente.',
  'accept.damage':
    'Aceito responder pelos danos que eu ou as pessoas que eu trouxer ou deixar entrar causarmos durante a hospedagem.',

  'review.title': 'Revise antes de assinar',
  'review.lead': 'Confira se está tudo certo. Você ainda pode voltar e alterar.',
  'review.dates': 'Hospedagem',
  'review.content': 'Você declara conhecer',
  'review.arrival': 'as informações de chegada e de segurança',

  'done.heading': 'Agradecemos, está tudo pronto',
  'done.manual': 'Seu anfitrião confirmou por você. Não falta assinar nada.',
  'done.arrival_none': 'Seu anfitrião passa as informações de chegada diretamente.',
  'done.copy_title': 'Guarde sua cópia',
  'done.copy_body': 'Sua cópia mostra o que você assinou. Você pode abri-la quando quiser.',
  'done.copy_open': 'Abrir sua cópia',
  'done.pdf': 'Baixar o certificado (PDF)',
  'done.pdf_preparing': 'Seu certificado está sendo preparado. Normalmente fica pronto em um minuto.',
  'done.next_title': 'E agora?',
  'done.next_host': 'Seu anfitrião já foi avisado. Você não precisa fazer mais nada.',
  'done.next_return': 'Volte a esta página com o mesmo link sempre que precisar das informações de chegada.',
  'done.next_arrive': 'O check-in é em {date}. Boa viagem!',

  'contact.page_title': 'Seu e-mail: {property}',
  'contact.lead':
    'Sua reserva chegou até nós sem e-mail. Digite o seu e enviaremos um código para confirmá-lo. Depois você pode ler e assinar.',
  'contact.email_hint': 'Usado apenas para esta hospedagem.',
  'contact.code_heading': 'Digite seu código',

  'state.replaced.body': 'Enviamos um e-mail mais recente e este link antigo deixou de funcionar.',
  'state.replaced.action':
    'Abra o último e-mail sobre esta hospedagem e use o link que está nele. Confira também a pasta de spam.',
  'state.cancelled.body': 'Não há mais nada para assinar nesta hospedagem.',
  'state.cancelled.action':
    'Se você ainda pretende se hospedar aqui, fale com seu anfitrião pelo serviço em que reservou.',
  'state.expired.title': 'Esta hospedagem terminou',
  'state.expired.action': 'Não há mais nada a fazer. Se precisar de algo da sua hospedagem, fale com seu anfitrião.',
  'state.unknown.action':
    'Abra de novo o link do seu e-mail e confira se o endereço está completo, ou peça ao seu anfitrião que o envie outra vez.',
  'state.error.title': 'Algo deu errado',
  'state.error.body': 'A falha é nossa. Nada do que você assinou se perdeu.',
  'state.error.action': 'Tente de novo em um minuto. Se continuar, avise seu anfitrião e informe a referência abaixo.',
  'state.form_refused.body': 'O que chegou é grande demais, está incompleto ou não é o formulário desta página.',
  'state.form_refused.action':
    'Abra a página de novo e preencha o formulário mais uma vez. Se você adicionou uma foto, escolha outra.',
  'state.rate_limited.body': 'Houve muitas tentativas em pouco tempo.',
  'state.copy_revoked.title': 'Esta cópia não é mais compartilhada',
  'state.copy_revoked.action': 'Se precisar da sua cópia, peça ao seu anfitrião um novo link ou uma cópia em papel.',
  'state.copy_redacted.body': 'Os dados pessoais foram removidos a pedido. Restam apenas impressões digitais anônimas.',
  'state.copy_redacted.action': 'Não há mais nada para mostrar aqui. Se tiver dúvidas, fale com seu anfitrião.',

  'copy.page_title': 'Sua cópia assinada: {property}',
  'copy.heading': 'Sua cópia assinada',
  'copy.lead': 'O que você assinou, exatamente como foi mostrado.',
  'copy.evidence_intro': 'Estas impressões digitais mudam se um único caractere mudar.',
  'copy.pdf_hash': 'Arquivo do certificado (SHA-256)',
  'copy.consent': 'Consentimento para assinatura eletrônica, versão {version}',

  'mail.copy.attached':
    'O certificado selado segue em anexo a este e-mail, em PDF. O segundo arquivo prova que ele consta do registro público. Guarde os dois, por favor.',
  'verify.ok.body': 'O conteúdo assinado, seu histórico e o selo coincidem.',
  'verify.pending.body':
    'O conteúdo assinado e seu histórico coincidem. O PDF ainda está sendo selado; veja de novo em um minuto.',
  'verify.manual.body':
    'O anfitrião marcou esta hospedagem como assinada. Não há assinatura do hóspede nem certificado.',
  'verify.content.intact': 'Coincide com sua impressão digital.',
  'verify.content.mismatch': 'Não coincide com sua impressão digital.',
  'verify.chain.intact': { one: 'Sem interrupções, {count} registro.', other: 'Sem interrupções, {count} registros.' },
  'verify.chain.sealed': 'Destes, {count} estão selados. Os posteriores são registros deste próprio servidor.',
  'verify.chain.broken': 'Interrompido no registro {entry}.',
  'verify.seal.pending': 'Em preparação.',
  'verify.seal.invalid': 'O PDF guardado não coincide com seu selo.',
  'verify.log': 'Registro público',
  'verify.log.included': 'Entrada {number} do registro público, sob seu ponto de controle assinado.',
  'verify.log.missing': 'Não encontrado no registro público.',
  'verify.log.checkpoint': 'Ponto de controle atual',
  'verify.timestamp.known': 'Carimbo do tempo de uma autoridade conhecida desta instalação, {authority}: {date}.',
  'verify.timestamp.unknown':
    'Carimbo do tempo de {authority}, {date}. Esta instalação não conhece essa autoridade: verifique quem é.',
  'verify.timestamp.implausible':
    'O horário do carimbo do tempo de {authority} não pode ser verdadeiro: {date}. Não prova nada.',
  'verify.timestamp.none': 'O horário é o do relógio do servidor; não há carimbo do tempo independente.',
  'verify.drop.title': 'Você tem o PDF?',
  'verify.drop.body': 'Veja se o seu arquivo é o que foi selado. Ele fica no seu dispositivo; nada é enviado.',
  'verify.drop.or': 'ou solte-o aqui',
  'verify.drop.working': 'Verificando…',
  'verify.drop.match': 'Sim, é o arquivo selado. Nem um byte é diferente.',
  'verify.drop.differs': 'Não, este arquivo é diferente do que foi selado.',
  'verify.drop.failed': 'Não foi possível ler o arquivo. Tente de novo.',
  'verify.drop.fingerprint': 'Impressão digital do seu arquivo:',
  'verify.drop.noscript':
    'Sem JavaScript, calcule o SHA-256 do seu arquivo e compare-o com a impressão digital do arquivo do certificado acima.',

  'mail.packet.subject': 'Antes da sua hospedagem ({property}): leia e assine, por favor',
  'mail.packet.preview': 'Regras, taxas e informações de chegada da sua hospedagem.',
  'mail.packet.heading': 'Prepare sua hospedagem',
  'mail.packet.body':
    'Sua hospedagem está chegando: {property}. Antes de chegar, leia as regras da casa e as taxas e assine. São poucos minutos no celular e você não precisa criar uma conta.',
  'mail.packet.statement': 'No final, você confirma: “{statement}”',
  'mail.packet.held': 'Algumas informações de chegada, como códigos, aparecem assim que você assinar.',
  'mail.reminder_24h.subject': 'Sua chegada é amanhã ({property}): falta sua assinatura',
  'mail.reminder_24h.body':
    'Sua hospedagem começa amanhã: {property}. Ainda falta sua assinatura; são poucos minutos no celular.',
  'mail.reminder_2h.subject': 'Está quase: assine, por favor ({property})',
  'mail.reminder_2h.preview': 'Ainda falta sua assinatura.',
  'mail.reminder_2h.body':
    'Sua hospedagem começa em cerca de duas horas: {property}. Ainda falta sua assinatura. Assine agora, para que tudo esteja pronto quando você chegar.',
  'mail.code.preview': 'Digite-o na página que está aberta.',
  'mail.code.heading': 'Seu código',
  'mail.code.body': 'Digite este código na página que está aberta:',
  'mail.code.expires': 'Ele vale por {minutes} minutos. Ninguém vai pedi-lo por telefone ou mensagem.',
  'mail.code.ignore': 'Se você não pediu um código, ignore este e-mail.',
  'mail.link': 'Se o botão não funcionar, copie este endereço no navegador:',
  'mail.personal': 'O link é pessoal. Por favor, não encaminhe este e-mail.',
  'mail.why': 'Você recebe este e-mail porque tem uma reserva: {property}.',
};
