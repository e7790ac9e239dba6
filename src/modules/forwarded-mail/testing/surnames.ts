/** Real surnames that contain the root of a word by which mails are classified. Tests only. */

// biome-ignore format: a word list reads better in lines.
const LINES = [
  // Surnames that contain "cancel".
  'Cancel Cancela Cancelado Cancelas Cancelo Cancella Cancellara Cancellari Cancellario Cancellaro Cancellato Cancelleri Cancelli',
  'Cancellier Cancelliere Cancellieri Cancelliero Cancellini Cancellino Cancellone Cancellotti Cancellor Cancelier Cancelmi Cancelmo Cancelosi',
  // Surnames that contain the root of "stornieren", "annuler" or "lemond", which mean "cancel".
  'Storn Storni Storno Stornelli Stornello Stornaiuolo Stornajuolo Stornetta Storniolo Stornioli Storner Stornig Stornik Kostornaya Kostornaia Kostorny Kostornov',
  'Hannula Hannulainen Mannula Pannula Cannuli Pannullo Giannuli Giannulli Giannulis LeMond Lemond Lemonds',
  // Surnames that contain the root of "alter" or "altération".
  'Alter Altera Alteri Alterio Alterman Altermann Altermatt Altergott Alterovitz Alterowitz Altersohn Walter Walters Walterman Waltermann Walterscheid',
  'Waltersdorf Waltersson Waltermire Waltermeyer Walterhouse Valter Valters Valterová Walterová Gualter Gualteri Gualterio Galter Galterio Salter Salters Salterio Psalter',
  'Halter Halterman Haltermann Halters Holzhalter Stadthalter Statthalter Buchhalter Haushalter Unterhalter Falter Falterer Falterbauer Faltermayer Faltermeier',
  'Faltermeyer Malter Malterer Malterre Malterud Kalter Balter Balterman Palter Schalter Spalter Stalter Stalteri Qualter Qualters Showalter Schowalter Buckwalter Bookwalter',
  // Surnames that contain the root of "amend", "change", "cambio", "změna" or "зміна".
  'Amend Amenda Amende Amendola Amendolara Amendolagine Amendolea Amendolia Amendoeira Amendt Amendariz Lamendola Lamendin Ramendik',
  'Change Changeux Changenet Changea Archangel Archangeli Archangelsky Archangelskaya Cambi Cambio Cambiaso Cambiasso Cambiaghi Cambieri Cambiano Cambier',
  'Kuzmenko Kuzmenkov Kuzmenkova Kuzmenok Kuzmenchuk Kuzmenka Kuzmena Kuzmenyuk Kuzmeniuk Kuzmenkin Кузменко Кузменков Кузменкова Кузменок Кузменчук',
  // Surnames that contain the root of "booked", "awaiting", "pending", "bitte", "talebi" or "upit".
  'Book Booker Bookman Bookout Bookbinder Bookspan Bookchin Bookstein Booke Bookey Bookham Bookless Bookhart Bookheimer Bookhout Bookmiller Bookstaver',
  'Wait Waite Waites Waits Waitt Waitkus Braithwaite Postlethwaite Micklethwait Micklethwaite Cowperthwaite Satterthwaite Thistlethwaite Hebblethwaite Linthwaite Crosthwaite Copperthwaite',
  'Pendente Pender Penders Pendergast Pendergrass Pendergraft Pendle Pendlebury Pendleton Pendrey Pendry Pendell Pendley Spender Spendlove Bitter Bitterli Bitterlich Bitterling Bitterman Bittermann',
  'Talebi Talebian Talebinejad Talebipour Talebizadeh Abutalebi Motalebi Mottalebi Jupiter Chupitaz',
  // Surnames that contain the root of a word for "new": "neu", "nová", "nieuw", "nueva", "nuova",
  // "uusi", "yeni", "ny" or "új".
  'New Newbauer Newberger Newberry Newbery Newbill Newbold Newbolt Newborn Newbound Newbury Newby Newcomb Newcombe Newcome Newcomer Newdigate Newell Newey Newfield Newgate Newhall Newham Newhart Newhouse',
  'Newill Newington Newitt Newkirk Newland Newlands Newlin Newlon Newlove Newlyn Newman Newmann Newmarch Newmark Newmeyer Newmyer Newnam Newnham Newport Newquist Newsam Newsham Newsholme Newsom Newsome',
  'Newson Newstead Newsum Newswanger Newton Newtown Newville Agnew Neu Neubauer Neuber Neuberg Neuberger Neubert Neuendorf Neuens Neuenschwander Neuer Neufeld Neugebauer Neuhaus Neuhauser Neuhäuser Neuhoff',
  'Neukirch Neukirchen Neuland Neumaier Neumann Neumayer Neumeier Neumeister Neumeyer Neuner Neureiter Neureuther Neuroth Neuschäfer Neustadt Neustädter Neuville Neuwirth',
  'Nova Novaes Novais Novak Novaković Novara Novati Novelli Novello Novák Nováková Novosel Novoselec Novotný Novotná Nowaczyk Nowacki Nowak Nowakowski Nowara Casanova Casanovas Villanova Terranova Bonanova',
  'Новак Новиков Новикова Новицкий Новосёлов Villanueva Casanueva Nuevas Casanuova Villanuova Terranuova Nouvel Nouvelle Nieuwboer Nieuwburg Nieuwelink Nieuwenburg Nieuwendijk Nieuwenhoven Nieuwenhuijzen',
  'Nieuwenhuis Nieuwenkamp Nieuwkerk Nieuwkoop Nieuwland Nieuwpoort Nieuwstraten Uusi Uusikylä Uusimaa Uusimäki Uusinoka Uusitalo Uusitupa Uusivirta Yeni Yeniay Yenice Yeniçeri Yenidoğan Yenidünya Yenigün Yenihayat Yenisey',
  'Nyberg Nyblom Nyborg Nydahl Nygaard Nygren Nygård Nyholm Nyhus Nyland Nylund Nyman Nyqvist Nystedt Nysten Nyström Újhelyi Újházi Újlaki Újvári Arrivabene Arrivas Arrivault Arrivillaga Arrivé',
  'Neubarth Neubacher Neubeck Neuburger Neudeck Neudecker Neudorf Neudorfer Neudörfer Neues Neuffer Neugebaur Neugröschel Neuheisel Neukamm Neukomm Neumärker Neumüller Neunzig Neupert Neurath Neuschwander Neuser',
  'Neustein Neuweiler Neuwald Nováček Novotny Novosad Novoa Novelo Noveck Novellino Novo Novogratz Novosielski Novoselov Noval Novales Novalić Novakowski Nye Nyen Nygard Nylander Nylén Nymark Nyquist Nysether',
  'Nystrand Nyvall Ujvary Ujhelyi Ujlaki Ujházy Bittel Bittencourt Bittenbender Bittenbinder Newbrough Newgard Newing Newkome Newlander Newmeister Booksh Walterová-Nováková Spenderová Cancellieri-Walter Storni-Neumann',
  'Nowakowska Nowacka Neuert Newbegin Neuhauss Amendola-Change Kuzmenko-Walter Halterová Salterová Neumannová Novotná-Walterová Waltersová Nymanová Bookerová',
];

export const SURNAMES_WITH_MAIL_KEYWORDS: readonly string[] = [...new Set(LINES.join(' ').split(' '))];

/**
 * The words by which mails are classified, or the roots of these words, that the surnames contain.
 */
// biome-ignore format: a word list reads better in lines.
export const MAIL_KEYWORD_ROOTS_IN_SURNAMES: readonly string[] = [
  'cancel', 'storn', 'annul', 'lemond', 'alter', 'amend', 'change', 'cambi', 'zmen', 'змен', 'book', 'wait', 'pend', 'bitte', 'talebi', 'upit',
  'new', 'neu', 'nova', 'nove', 'novo', 'nowa', 'нов', 'nuev', 'nuova', 'nouvel', 'nieuw', 'uusi', 'yeni', 'ny', 'uj', 'arriv',
];
