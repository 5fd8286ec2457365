// swift-format-ignore-file
// Excluded from formatting, because one text per line is easier to read.

extension DemoTexts {
    static let italian: [String] = [
        "Il ragù è sul fuoco da quattro ore e in casa nessuno riesce più a concentrarsi. 🍝",
        "Domanda seria: quanta acqua usate per un etto di pasta? In famiglia ne discutiamo da anni.",
        "La focaccia è venuta alta, soffice e molto più grande della teglia. #cucina",
        "Mia nonna pesava la farina a occhio. Io ho due bilance e sbaglio comunque.",
        "Vento contrario all’andata e vento contrario al ritorno. Qualcuno mi spieghi. 🚲",
        "Catena nuova, cambio regolato: la bici adesso sembra contenta. #bicicletta",
        "Posto al finestrino, un panino e tre ore di colline. Il treno regionale è la mia vacanza preferita.",
        "La coincidenza ha aspettato. Applauso spontaneo nel vagone. #treni",
        "Il basilico sul balcone ha superato la ringhiera. Stiamo trattando. 🌿",
        "Lavori nell’orto:\n– legare i pomodori\n– contare le lumache\n– far finta di non averle contate",
        "Ho scritto due righe su come tenere un intero sito in una sola cartella: https://example.org/cartella #smallweb",
        "Mi piacciono i siti piccoli, fatti a mano, con la pagina «Chi sono» scritta in prima persona.",
        "Era il fuso orario. È sempre il fuso orario.",
        "Ho cancellato duecento righe di codice e funziona ancora tutto. Sospetto qualcosa. #swift",
        "Un indice in SQLite e la pagina si apre prima del clic. Quasi.",
        "Saturno nel telescopio è minuscolo, ma quando vedi l’anello ti scappa un «oh». 🪐",
        "In biblioteca c’è un tavolo vicino alla finestra che considero mio. Non ditelo agli altri. #biblioteche",
        "Il gatto dorme sul manuale che dovrei leggere. Non me la sento di disturbare. 🐈",
        "Piove piano, il caffè sale, la giornata può cominciare.",
        "Metronomo: sessanta. Io: dipende. #musica",
        "La vecchia radio suona di nuovo! Bastavano un condensatore e un po’ di pazienza.",
        "@ada grazie per il consiglio sui giochi da tavolo per due. Abbiamo perso insieme, perché era cooperativo, ed è stato bellissimo.",
    ]

    static let italianReplies: [String] = [
        "Che bello!",
        "Succede anche a me, sempre.",
        "Racconta, racconta!",
        "Grazie, ci voleva proprio.",
        "Ho riso ad alta voce, e ora il gatto mi guarda.",
        "Non si poteva dire meglio.",
        "Aspetto il seguito. 🙂",
        "Sottoscrivo tutto.",
    ]
}
