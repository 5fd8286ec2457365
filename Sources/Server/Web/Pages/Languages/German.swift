import FeedCore

/// Everything that pages say in German.
struct German: PageText {
    private static let months = [
        "Jan.", "Feb.", "März", "Apr.", "Mai", "Juni", "Juli", "Aug.", "Sept.", "Okt.", "Nov.", "Dez.",
    ]

    var language: PageLanguage { .german }
    var sentenceSeparator: String { ". " }

    func date(day: Int, month: Int, year: Int) -> String {
        "\(day). \(self.month(month, year: year))"
    }

    func month(_ month: Int, year: Int) -> String { "\(Self.months[month - 1]) \(year)" }

    func time(on date: String, at clock: String) -> String { "\(date), \(clock)" }

    func name(of kind: MediaKind, _ count: Int) -> String {
        switch kind {
        case .image: count == 1 ? "Bild" : "Bilder"
        case .gifv: count == 1 ? "Animation" : "Animationen"
        case .video: count == 1 ? "Video" : "Videos"
        case .audio: count == 1 ? "Aufnahme" : "Aufnahmen"
        case .unknown: count == 1 ? "Datei" : "Dateien"
        }
    }

    /// Completes a sentence that begins with the names of accounts.
    func action(_ kind: FeedCore.Notification.Kind, isOne: Bool) -> String {
        switch kind {
        case .mention: isOne ? "hat dich erwähnt" : "haben dich erwähnt"
        case .follow: isOne ? "folgt dir" : "folgen dir"
        case .followRequest: isOne ? "möchte dir folgen" : "möchten dir folgen"
        case .favourite: isOne ? "hat deinen Beitrag favorisiert" : "haben deinen Beitrag favorisiert"
        case .reblog: isOne ? "hat deinen Beitrag geteilt" : "haben deinen Beitrag geteilt"
        case .update: "hat einen Beitrag bearbeitet"
        case .status: "hat etwas veröffentlicht"
        case .poll: "hat eine Umfrage erstellt, die nun beendet ist"
        case .adminSignUp: isOne ? "hat sich registriert" : "haben sich registriert"
        case .adminReport: "hat eine Meldung gesendet"
        }
    }

    func label(_ field: RegistrationRefusal.Field) -> String {
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
    func problem(_ error: RegistrationRefusal.FieldError) -> String {
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
