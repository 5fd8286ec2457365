extension GermanText {
    var words: TemplateText { Self.words }

    private static let words = TemplateText(
        // Every page
        skip: "Zum Inhalt springen",
        search: "Suchen",
        site: "Website",
        more: "Mehr",
        logOut: "Abmelden",
        aboutSite: "Über diese Seite",
        contactColon: "Kontakt:",
        cancel: "Abbrechen",

        // Page
        backToTimeline: "Zurück zur Timeline",
        followInReader: "In einem Feedreader folgen:",
        searchIncomplete: """
            Vielleicht gibt es mehr: Ältere Beiträge werden noch indexiert, oder es mussten zu viele übergangen \
            werden.
            """,
        pinnedPosts: "Angeheftete Beiträge",
        newestPosts: "Neueste Beiträge",
        morePeople: "Weitere Profile",
        earlierPosts: "Frühere Beiträge dieser Unterhaltung",
        moreReplies: "Es gibt weitere Antworten. Öffne oben eine Antwort, um die Antworten darauf zu sehen.",
        timelinePages: "Seiten der Timeline",
        newer: "Neuere",
        older: "Ältere",

        // Status
        filtered: "Gefiltert",
        edited: "bearbeitet",
        editedMark: "bearbeitet",
        boostedBy: #"Geteilt von <a class="p-author h-card" href="{{boostedByURL}}"><bdi>{{boostedBy}}</bdi></a>"#,
        inReplyTo: "Antwort auf",
        contentWarning: "Inhaltswarnung",
        sensitiveMedia: "Sensible Medien",
        poll: "Umfrage",
        chooseSeveral: "Wähle beliebig viele Antworten",
        chooseOne: "Wähle eine Antwort",
        vote: "Abstimmen",
        inPollBy: "in der Umfrage von {{name}}",
        yourChoice: "deine Wahl",
        pollClosed: "Beendet am",
        pollOpen: "Offen bis",
        resultsHidden: "Bis dahin bleiben die Ergebnisse verborgen",
        boosts: "Geteilt",
        boostsColon: "Geteilt:",
        boostCount: ", geteilt:",
        favourites: "Favorisiert",
        favouritesColon: "Favorisiert:",
        favouriteCount: ", favorisiert:",
        visibilityColon: "Sichtbarkeit:",
        via: "via",
        reply: "Antworten",
        replyTo: "auf den Beitrag von {{name}}",
        boost: "Teilen",
        favourite: "Favorisieren",
        bookmark: "Lesezeichen",
        postByName: "(Beitrag von {{name}})",
        pin: "Anheften",
        pinWhat: "(deinen Beitrag vom {{dateText}} im Profil)",
        edit: "Bearbeiten",
        delete: "Löschen",
        ownPost: "(deinen Beitrag vom {{dateText}})",
        report: "Melden",
        reportedPost: "(den Beitrag vom {{dateText}})",
        deletionWarning: """
            Der Beitrag verschwindet für alle, auch dort, wo er geteilt wurde, mitsamt Favoriten und Stimmen. \
            Das lässt sich nicht rückgängig machen.
            """,
        keepIt: "Behalten",

        // A file of a status
        postBy: "Beitrag von <bdi>{{name}}</bdi>",
        withoutDescription: "Ohne Beschreibung",
        originalFile: "Originaldatei",
        filesOfPost: "Dateien des Beitrags",
        previous: "Zurück",
        next: "Weiter",

        // Profile
        moreActions: "Weitere Aktionen",
        muteFor: "Stummschalten:",
        ever: "dauerhaft",
        anHour: "eine Stunde",
        aDay: "einen Tag",
        aWeek: "eine Woche",
        thirtyDays: "30 Tage",
        notifications: "Benachrichtigungen",
        hiddenToo: "auch ausblenden",
        shown: "anzeigen",
        mute: "Stummschalten",
        editNote: "Notiz bearbeiten",
        addNote: "Private Notiz hinzufügen",
        yourNote: "Deine Notiz, die sonst niemand sieht",
        livesIn: "Wohnt in",
        joined: "Dabei seit {{joined}}",
        posts: "Beiträge",
        followers: "Follower",
        following: "Folgt",
        postsOf: "Beiträge von {{handle}}",
        unread: "ungelesen",
        new: "neu",

        // Reports
        backToProfile: "Zurück zum Profil",
        reason: "Grund",
        violatedRules: "Verstoß gegen Regeln",

        // Lists
        title: "Titel",
        listReplies: "Angezeigte Antworten",
        listPosts: "Beiträge der Mitglieder",

        // The form for posts
        postByReply: "einen Beitrag von <bdi>{{replyName}}</bdi>",
        text: "Text",
        textHint: """
            Höchstens {{textLimit}} Zeichen einschließlich der Inhaltswarnung; \
            ein Link zählt als {{linkLength}} Zeichen.
            """,
        optionalWarning: "Inhaltswarnung (optional)",
        visibility: "Wer den Beitrag sehen kann",
        language: "Sprache",
        media: "Medien",
        mediaDescription: "Beschreibung für Menschen, die den Inhalt nicht wahrnehmen können ({{mediaLabel}})",
        focus: "Was beim Zuschneiden sichtbar bleibt",
        remove: "Entfernen",
        descriptionHint: "Höchstens {{descriptionLimit}} Zeichen je Beschreibung.",
        addUpTo: "Bis zu {{mediaLeft}} hinzufügen",
        filesHint: "Mehrere Bilder, ein Video oder eine Aufnahme. Füge sie zuerst hinzu, um sie zu beschreiben.",
        addMedia: "Medien hinzufügen",
        hideMedia: "Medien erst auf Wunsch anzeigen",
        pollResets: "Wenn du die Antworten oder die Mehrfachauswahl änderst, werden alle Stimmen gelöscht.",
        answer: "Antwort {{pollNumber}}",
        duration: "Dauer",
        severalAnswers: "Mehrere Antworten sind möglich",
        hideResults: "Ergebnisse bis zum Ende verbergen",
        publishLater: "Später veröffentlichen",
        dateAndTime: "Datum und Uhrzeit ({{timeZone}})",
        scheduleHint: "Frühestens in {{scheduleDelay}} Minuten. Leer lassen, um sofort zu veröffentlichen.",

        // Logging in and signing up
        usernameOrEmail: "Profilname oder E-Mail-Adresse",
        password: "Passwort",
        logIn: "Anmelden",
        noAccount: "Noch kein Konto?",
        signUp: "Registrieren",
        thisIs: "Das ist {{site}} (<bdi>{{host}}</bdi>)",
        invitesYou: "<bdi><strong>{{inviter}}</strong></bdi> lädt dich zu {{site}} ein.",
        approvalHint: "Jede Registrierung wird geprüft. Sobald deine genehmigt ist, kannst du dich anmelden.",
        username: "Profilname",
        usernameHint: "Buchstaben, Ziffern und Unterstriche. Er lässt sich später nicht ändern.",
        optionalEmail: "E-Mail-Adresse (optional)",
        passwordHint: "Mindestens 8 Zeichen.",
        joinReason: "Warum möchtest du dich registrieren? (optional)",
        serverRules: "Die Regeln dieses Servers",
        agree: "Ich stimme den Regeln zu",
        accountReady: "Dein Konto <bdi><strong>{{handle}}</strong></bdi> ist bereit, und du bist hier angemeldet.",
        openHome: "Deine Startseite öffnen",
        signUpReceived: """
            Deine Registrierung als <bdi><strong>{{handle}}</strong></bdi> ist eingegangen. Du kannst dich \
            anmelden, sobald sie genehmigt ist.
            """,
        phoneHint: """
            Um dich auch auf dem Handy anzumelden, wähle eine App für Mastodon und gib die Adresse dieses Servers \
            ein:
            """,
        choosePassword: """
            Wähle ein neues Passwort für <bdi><strong>@{{username}}</strong></bdi>. Danach bist du überall \
            abgemeldet.
            """,
        newPassword: "Neues Passwort",
        setPassword: "Passwort setzen",

        // An application asks for access
        wantsAccess: "möchte dein Konto verwenden. Damit kann die Anwendung:",
        sentTo: "Du wirst zu <bdi>{{target}}</bdi> weitergeleitet.",
        codeShown: "Dir wird ein Code zum Kopieren angezeigt.",
        loggedInAs: "Du bist als <bdi><strong>{{consenter}}</strong></bdi> angemeldet.",
        allow: "Erlauben",
        otherAccount: "Anderes Konto verwenden",
        logInAndAllow: "Anmelden und erlauben",
        copyCode: "Kopiere diesen Code in <bdi><strong>{{program}}</strong></bdi>. Er läuft nach zehn Minuten ab.",
        accessDenied: """
            Du hast <bdi><strong>{{program}}</strong></bdi> den Zugriff verweigert. Du kannst diese Seite schließen.
            """,

        // About the site
        rules: "Regeln",
        signUpHeading: "Registrierung",
        contact: "Kontakt",
        apps: "Apps",
        appsHint: """
            Diese Seiten brauchen keine App. Jede App für Mastodon funktioniert ebenfalls; gib dort die Adresse \
            dieses Servers ein:
            """,
        androidAndIPhone: "für Android und iPhone",
        android: "für Android",
        apple: "für iPhone, iPad und Mac",
        linux: "für Linux",
        and: "und",
        browser: "im Browser",

        // The operator's pages
        administration: "Administration",
        resetHint: """
            Gib diesen Link weiter. Mit ihm lässt sich bis {{resetEnd}} einmal ein neues Passwort setzen; er wird \
            nicht noch einmal angezeigt:
            """,
        newInvitation: "Neue Einladung",
        invitationUses: "Konten, die damit erstellt werden können",
        invitationDays: "Gültigkeit in Tagen",
        create: "Erstellen",
        accounts: "Konten",
        usernameBegins: "Profilname beginnt mit",
        displayNameWord: "Anzeigename enthält ein Wort, das beginnt mit",
        emailBegins: "E-Mail-Adresse beginnt mit",
        state: "Status",
        onlyAdministrators: "Nur Administratoren",

        // What script shows; single braces are what it fills in
        oneNew: "{n} neu",
        severalNew: "{n} neu",
        manyNew: "{n}+ neu",
        oneVote: "{n} Stimme",
        severalVotes: "{n} Stimmen",
        oneVoter: "{votes} von {n} Person, Mehrfachauswahl möglich",
        severalVoters: "{votes} von {n} Personen, Mehrfachauswahl möglich",
        failedNetwork: "Der Server ist nicht erreichbar. Es wurde nichts geändert; versuche es später noch einmal.",
        failedLogin: "Du bist abgemeldet. Melde dich an und versuche es noch einmal.",
        failedRate: "Das war zu viel auf einmal. Versuche es in ein paar Minuten noch einmal.",
        failedRefused: "Das ist nicht mehr möglich. Lade die Seite neu, um zu sehen, was sich geändert hat.",
        olderFailed: "Ältere Einträge lassen sich gerade nicht laden. Die Schaltfläche lädt sie.",
        uploadProgress: "{name}: {n} %",
        uploadWorking: "{name}: wird verarbeitet …",
        uploadFailed: """
            Das Hochladen ist fehlgeschlagen. Was du geschrieben hast, ist noch da; füge die Datei noch einmal \
            hinzu.
            """,
        uploadKind: "Es lassen sich nur Bilder, Videos und Aufnahmen hinzufügen.",
        uploadHint: "Du kannst Bilder auch hierher ziehen oder einfügen.",
        darkColours: "Dunkle Farben",
        lightColours: "Helle Farben",
        offline: "Du bist offline. So war die Seite am <time data-saved></time>.",
        draftBack: "Dein Entwurf ist wieder da.",
        discard: "Verwerfen",
        describeQuestion: "Ohne Beschreibung veröffentlichen?",
        describeReason: "Menschen, die die Medien nicht sehen können, lesen oder hören die Beschreibung.",
        describe: "Beschreibung hinzufügen",
        postAnyway: "Ohne Beschreibung veröffentlichen",
        keys: "Tastenkürzel",
        nextPost: "Nächster Beitrag",
        previousPost: "Vorheriger Beitrag",
        openPost: "Beitrag öffnen",
        replyToPost: "Auf den Beitrag antworten",
        newPost: "Neuer Beitrag",
        thisList: "Diese Liste",
        useKeys: "Diese Tastenkürzel verwenden (außer <kbd>?</kbd>)",
        close: "Schließen"
    )
}
