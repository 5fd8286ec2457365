import FeedCore

extension GermanText {
    // Settings

    var saved: String { "Gespeichert." }

    func entry(_ page: SettingsPage) -> (title: String, text: String) {
        switch page {
        case .profile: ("Profil", "Name, Profilbild, Titelbild, Felder und wer dich findet")
        case .preferences: ("Voreinstellungen", "Sichtbarkeit und Sprache neuer Beiträge, Zeitzone, Sprache, Farben")
        case .password: ("Passwort", "Ändern; das beendet alle anderen Anmeldungen")
        case .logins: ("Anmeldungen und Tokens", "Deine Browser, Apps und Programme")
        case .mutes: ("Stummgeschaltete Profile", "Profile, deren Beiträge du nicht siehst")
        case .blocks: ("Blockierte Profile", "Profile, die auch deine Beiträge nicht sehen")
        case .lists: ("Listen", "Timelines einiger Profile, denen du folgst")
        case .hashtags: ("Gefolgte Hashtags", "Beiträge mit ihnen stehen auf deiner Startseite")
        case .filters: ("Filter", "Beiträge, die du eingeklappt oder gar nicht sehen willst")
        case .scheduled: ("Geplante Beiträge", "Beiträge, die später veröffentlicht werden")
        case .files: ("Dateien", "Dateien hochladen, ersetzen, löschen und anhängen")
        case .invitations: ("Einladungen", "Andere zur Registrierung einladen")
        case .removal: ("Mein Konto löschen", "Mit allem, was dazugehört")
        }
    }

    // Profile

    var displayName: String { "Anzeigename" }
    var aboutYou: String { "Über dich" }
    var approvesFollowers: String { "Ich genehmige, wer mir folgt" }
    var isBot: String { "Hier veröffentlicht ein Programm" }
    var discoverable: String { "Mich anderen vorschlagen" }
    var indexable: String { "Alle dürfen meine öffentlichen Beiträge durchsuchen" }
    var hideCollections: String { "Follower und gefolgte Profile verbergen" }
    var noindex: String { "Suchmaschinen bitten, mich zu ignorieren" }
    func fieldName(_ number: Int) -> String { "Feld \(number)" }
    func fieldContent(_ number: Int) -> String { "Inhalt von Feld \(number)" }
    var picture: String { "Profilbild" }
    var header: String { "Titelbild" }
    var newPicture: String { "Neues Bild" }
    var upload: String { "Hochladen" }
    var removePicture: String { "Profilbild entfernen" }
    var removeHeader: String { "Titelbild entfernen" }

    // Preferences

    var newPostVisibility: String { "Wer neue Beiträge sehen kann" }
    var newPostMedia: String { "Medien neuer Beiträge erst auf Wunsch anzeigen" }
    var newPostLanguage: String { "Sprache neuer Beiträge" }
    var timeZone: String { "Zeitzone" }
    var timeZoneHint: String { "Gilt für die Zeiten auf den Seiten und für geplante Beiträge." }
    var colours: String { "Farben der Seiten" }
    var coloursOfBrowser: String { "Wie im Browser eingestellt" }
    var light: String { "Hell" }
    var dark: String { "Dunkel" }
    var pageLanguage: String { "Sprache der Seiten" }
    var languageOfBrowser: String { "Wie im Browser eingestellt" }

    // Password

    var changePassword: String { "Passwort ändern" }
    var otherLoginsEnd: String { "Alle anderen Anmeldungen enden: Browser, Apps und Tokens." }
    var currentPassword: String { "Aktuelles Passwort" }
    var passwordAgain: String { "Neues Passwort wiederholen" }

    // Logins

    func tokenNotice(_ name: String) -> String {
        "Der Token von „\(name)“. Kopiere ihn jetzt: Er wird nicht noch einmal angezeigt."
    }
    var newToken: String { "Ein Token für ein Programm" }
    var makeToken: String { "Token erstellen" }
    var tokenHint: String { "Dein Programm oder Skript sendet ihn als Authorization: Bearer TOKEN." }
    var tokenName: String { "Name des Programms" }
    var tokenScopes: String { "Was das Programm darf" }
    var logins: String { "Anmeldungen" }
    var endLogin: String { "Diese Anmeldung beenden" }
    var unnamedApplication: String { "Unbenannte Anwendung" }
    func thisBrowser(_ name: String) -> String { "\(name) (dieser Browser)" }
    func may(_ scopes: String) -> String { "Darf: \(scopes)" }

    func scope(_ scope: TokenScope) -> String {
        switch scope {
        case .read: "Alles lesen, was du lesen kannst"
        case .write: "Schreiben: veröffentlichen, löschen, hochladen, folgen, Einstellungen ändern"
        case .writeStatuses: "Nur Beiträge veröffentlichen, bearbeiten und löschen"
        case .writeMedia: "Nur Dateien und Medien hochladen"
        case .adminRead: "Lesen, was die Moderation sieht"
        case .adminWrite: "Moderieren"
        }
    }

    // Hidden accounts

    func until(_ time: String) -> String { "Bis \(time)" }
    func expired(on time: String) -> String { "Abgelaufen am \(time)" }
    var nobody: String { "Niemand." }

    // Filters

    var newFilter: String { "Neuer Filter" }
    var yourFilters: String { "Deine Filter" }
    var deleteFilter: String { "Filter löschen" }
    func matchesPosts(_ count: Int) -> String {
        count == 1
            ? "Er trifft auch auf 1 einzelnen Beitrag zu, den eine App hinzugefügt hat."
            : "Er trifft auch auf \(count) einzelne Beiträge zu, die eine App hinzugefügt hat."
    }

    func filterPlace(_ context: Filter.Context) -> String {
        switch context {
        case .home: "Startseite und Listen"
        case .notifications: "Benachrichtigungen"
        case .public: "Öffentliche Timelines"
        case .thread: "Unterhaltungen"
        case .account: "Profile"
        }
    }

    var foldsPosts: String { "Klappt Beiträge ein" }
    var hidesPosts: String { "Blendet Beiträge aus" }
    var foldPosts: String { "Beiträge einklappen und den Titel des Filters zeigen" }
    var hidePosts: String { "Beiträge weglassen" }
    var never: String { "Nie" }
    var asItIsNever: String { "Wie bisher: nie" }
    func asItIs(expiring end: String) -> String { "Wie bisher: \(end)" }
    var wholeWord: String { "Ganzes Wort" }
    var anywhere: String { "Überall" }
    var filterPlaces: String { "Wo er gilt" }
    var filterAction: String { "Was er tut" }
    var expiry: String { "Wann er abläuft" }
    func keyword(_ number: Int) -> String { "Stichwort \(number)" }
    func keywordPlace(_ number: Int) -> String { "Was Stichwort \(number) trifft" }
    var keywordHint: String { "Ein Wort, eine Wendung oder ein Hashtag. Leeren, um es zu entfernen." }
    func quoted(_ text: String) -> String { "„\(text)“" }

    // Durations

    func duration(_ duration: PageDuration) -> String {
        switch duration {
        case .minutes(let count): count == 1 ? "1 Minute" : "\(count) Minuten"
        case .hours(let count): count == 1 ? "1 Stunde" : "\(count) Stunden"
        case .days(let count): count == 1 ? "1 Tag" : "\(count) Tage"
        }
    }

    func durationFromNow(_ duration: PageDuration) -> String {
        if case .days(let count) = duration, count > 1 { return "In \(count) Tagen" }
        return "In " + self.duration(duration)
    }

    // Scheduled posts

    var nothingScheduled: String { "Nichts geplant. Ein neuer Beitrag kann später veröffentlicht werden." }
    var changeTime: String { "Zeitpunkt ändern" }
    func dateAndTime(in zone: String) -> String { "Datum und Uhrzeit (\(zone))" }
    func earliest(minutes: Int64) -> String { "Frühestens in \(minutes) Minuten." }
    var scheduledPost: String { "Geplanter Beitrag" }
    var deleteScheduled: String { "Beitrag löschen" }
    func files(_ count: Int) -> String { count == 1 ? "1 Datei" : "\(count) Dateien" }

    // Files

    var noFiles: String { "Noch keine Dateien." }
    var noSuchFiles: String { "Keine Datei hat das im Namen." }
    var moreFiles: String { "Weitere Dateien" }
    var filesArePublic: String { "Alle, die die Adresse einer Datei kennen, können sie lesen." }
    var find: String { "Suchen" }
    var partOfName: String { "Teil des Namens" }
    var replace: String { "Ersetzen" }
    var newContent: String { "Neuer Inhalt" }
    var attach: String { "An einen neuen Beitrag anhängen" }
    var deleteFile: String { "Datei löschen" }
    var openFile: String { "Datei öffnen" }
    func bytes(_ count: Int64) -> String { count == 1 ? "1 Byte" : "\(count) Bytes" }
    var decimalSeparator: String { "," }

    // Invitations

    var invite: String { "Einladen" }
    var invitedPeople: String { "Für wie viele Personen" }
    var invitationExpiry: String { "Wann sie abläuft" }
    var revoke: String { "Widerrufen" }
    func invitation(used uses: Int, of maximum: Int, _ end: String) -> String {
        "\(uses) von \(maximum) verwendet. \(end)"
    }

    // Removal

    var removeAccount: String { "Mein Konto endgültig löschen" }
    var removalWarning: String {
        """
        Dein Profil, deine Beiträge, Dateien, Follower-Beziehungen, Favoriten, Benachrichtigungen und Anmeldungen \
        werden für alle gelöscht. Das lässt sich nicht rückgängig machen.
        """
    }
    func nameStays(_ name: String) -> String { "Niemand sonst kann deinen Namen @\(name) bekommen." }
    var yourPassword: String { "Dein Passwort" }

    // Hashtags

    var followHashtag: String { "Einem Hashtag folgen" }
    var nothingInHashtags: String {
        "Hier gibt es noch nichts. Folge Hashtags, um öffentliche Beiträge mit ihnen auf deiner Startseite zu sehen."
    }

    // Logging in and signing up

    var almostThere: String { "Fast geschafft" }
    var welcome: String { "Willkommen" }
    var agreeToRules: String { "Bitte stimme den Regeln zu." }
    var pageExpired: String { "Diese Seite ist abgelaufen. Bitte versuche es noch einmal." }
    var loginExpired: String { "Diese Seite ist abgelaufen. Bitte melde dich noch einmal an." }
    var sendAgain: String { "Noch einmal senden" }
    func logIn(for program: String) -> String { "Anmelden, damit \(program) dein Konto verwenden kann" }
    func consent(for program: String) -> String { "\(program) den Zugriff auf dein Konto erlauben" }
    var allowAccess: String { "Zugriff erlauben" }
    var yourCode: String { "Dein Code" }
    var notAllowed: String { "Nicht erlaubt" }
    func refusal(_ field: RegistrationError.Field, _ errors: [RegistrationError.FieldError]) -> String {
        label(field) + " " + errors.map(problem).joined(separator: " und ") + "."
    }

    func label(_ field: RegistrationError.Field) -> String {
        switch field {
        case .username: "Der Profilname"
        case .email: "Die E-Mail-Adresse"
        case .password: "Das Passwort"
        case .agreement: "Die Zustimmung"
        case .reason: "Der Grund"
        case .invitation: "Die Einladung"
        }
    }

    /// Completes a sentence that begins with the field.
    func problem(_ error: RegistrationError.FieldError) -> String {
        switch error {
        case .blank: "darf nicht leer sein"
        case .invalid: "ist ungültig"
        case .taken: "ist bereits vergeben"
        case .reserved: "ist reserviert"
        case .tooShort: "ist zu kurz (mindestens 8 Zeichen)"
        case .tooLong: "ist zu lang"
        case .notAccepted: "ist erforderlich"
        }
    }
}
