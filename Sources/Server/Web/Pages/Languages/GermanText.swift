import FeedCore

/// Everything that pages say in German.
struct GermanText: PageText {
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
}

extension GermanText {
    // Notifications

    func notification(_ kind: FeedCore.Notification.Kind, others: Int) -> String {
        (others == 0 ? "" : others == 1 ? "und 1 weitere Person " : "und \(others) weitere ")
            + action(kind, isOne: others == 0)
    }
    func andMore(_ count: Int) -> String { "und \(count) weitere" }
    func filtered(_ title: String) -> String { "Gefiltert: \(title)" }
    var nobodyWaits: String { "Niemand wartet auf eine Antwort." }

    // Conversations

    var nothingInConversations: String { "Hier gibt es noch nichts. Direkte Beiträge erscheinen hier." }
    var removedAccounts: String { "Gelöschte Konten" }
    var hide: String { "Ausblenden" }
    func you(_ text: String) -> String { "Du: \(text)" }
    var postWithoutText: String { "Ein Beitrag ohne Text" }

    // Lists

    var newList: String { "Neue Liste" }
    var editList: String { "Liste bearbeiten" }
    var deleteList: String { "Liste löschen" }
    func deleteListQuestion(_ title: String) -> String {
        "Die Liste „\(title)“ löschen? Ihre Mitglieder erfahren davon nichts, und du folgst ihnen weiterhin."
    }
    var save: String { "Speichern" }
    var add: String { "Hinzufügen" }
    var listTimeline: String { "Timeline der Liste" }
    var members: String { "Mitglieder" }
    func members(of title: String) -> String { "Mitglieder von „\(title)“" }
    var newMember: String { "Name eines Profils, dem du folgst" }

    func replies(_ policy: AccountList.RepliesPolicy) -> String {
        switch policy {
        case .list: "Antworten auf Mitglieder der Liste"
        case .followed: "Antworten auf Profile, denen du folgst"
        case .none: "Keine"
        }
    }

    var alsoAtHome: String { "Auch auf der Startseite" }
    var onlyInList: String { "Nur in der Liste" }

    // The form for posts

    var editPost: String { "Beitrag bearbeiten" }
    var post: String { "Veröffentlichen" }
    func scheduled(at time: String) -> String { "Dein Beitrag wird am \(time) veröffentlicht." }

    func visibility(_ visibility: Visibility) -> String {
        switch visibility {
        case .public: "Öffentlich"
        case .unlisted: "Öffentlich (still): nicht in der öffentlichen Timeline"
        case .followers: "Nur Follower"
        case .direct: "Direkt: nur erwähnte Profile"
        }
    }

    var languageNotStated: String { "Keine Angabe" }
    func moreFiles(_ count: Int, hasFiles: Bool) -> String {
        "\(count) \(hasFiles ? "weitere " : "")\(count == 1 ? "Datei" : "Dateien")"
    }
    func numbered(_ file: String, _ number: Int) -> String { "\(file), Nummer \(number)" }
    var asItIs: String { "Wie bisher" }
    func asItIs(until end: String) -> String { "Wie bisher: bis \(end)" }

    func focus(_ focus: ComposeFocus) -> String {
        switch focus {
        case .middle: "Mitte"
        case .top: "Oben"
        case .bottom: "Unten"
        case .left: "Links"
        case .right: "Rechts"
        case .topLeft: "Oben links"
        case .topRight: "Oben rechts"
        case .bottomLeft: "Unten links"
        case .bottomRight: "Unten rechts"
        }
    }
}

extension GermanText {
    // Navigation

    var publicTimeline: String { "Öffentliche Timeline" }
    var home: String { "Startseite" }
    var newPost: String { "Neuer Beitrag" }
    var conversations: String { "Unterhaltungen" }
    var bookmarks: String { "Lesezeichen" }
    var favourites: String { "Favoriten" }
    var lists: String { "Listen" }
    var followedHashtags: String { "Gefolgte Hashtags" }
    var followRequests: String { "Follower-Anfragen" }
    var profile: String { "Profil" }
    var settings: String { "Einstellungen" }

    // Pages without content

    var nothingYet: String { "Hier gibt es noch nichts." }
    var nothingAtHome: String { "Hier gibt es noch nichts. Folge anderen, um ihre Beiträge hier zu sehen." }
    var nothingInList: String { "Hier gibt es noch nichts. Beiträge der Mitglieder erscheinen hier." }
    var noOtherPosts: String { "Noch keine weiteren Beiträge." }
    var nobodyYet: String { "Noch niemand." }

    // Posts

    var repliesLabel: String { "Antworten" }
    func repliesTo(_ name: String) -> String { "Antworten auf \(name)" }
    func replies(_ count: Int) -> String { count == 1 ? "1 Antwort" : "\(count) Antworten" }
    var aPost: String { "einen Beitrag" }
    func post(by name: String) -> String { "Beitrag von @\(name)" }
    var followersOnly: String { "Nur Follower" }
    var direct: String { "Direkt" }
    var administratorBadge: String { "Admin" }
    var botBadge: String { "Bot" }
    var deletePost: String { "Diesen Beitrag löschen?" }

    // Polls

    func votes(_ count: Int) -> String { count == 1 ? "1 Stimme" : "\(count) Stimmen" }
    func votes(_ count: Int, of people: Int) -> String {
        votes(count) + (people == 1 ? " von 1 Person" : " von \(people) Personen") + ", Mehrfachauswahl möglich"
    }

    // Media

    func files(_ count: Int, _ kind: MediaKind) -> String { "\(count) \(name(of: kind, count))" }
    func label(_ kind: MediaKind) -> String { name(of: kind, 1) }
    func withoutDescription(_ kind: MediaKind) -> String { "\(label(kind)) ohne Beschreibung" }
    func heading(_ kind: MediaKind, _ number: Int, of count: Int) -> String { "\(label(kind)) \(number) von \(count)" }
    var listSeparator: String { ", " }

    // The site

    func about(_ site: String) -> String { "Über \(site)" }
    var runBy: String { "Betrieben von" }
    var people: String { "Profile" }

    func signUpText(_ mode: RegistrationPolicy.Mode) -> String {
        switch mode {
        case .closed: "Zurzeit kann sich niemand registrieren."
        case .open: "Alle können sich registrieren."
        case .approval: "Alle können sich registrieren; jedes Konto wird einzeln genehmigt."
        case .invite: "Zum Registrieren ist eine Einladung eines Mitglieds nötig."
        }
    }

    // Search

    func searchTitle(_ text: String) -> String { "\(text) – Suche" }
    var searchHelp: String {
        """
        Finde Beiträge über Wörter, den Anfang eines Worts* oder eine „Wendung“. Ein Minus schließt aus, was \
        folgt. from:name, has:image, is:reply, before:2026-01-31, after:2026-01-31 und language:de grenzen die \
        Suche ein. Profile und Hashtags findest du über ihre Namen.
        """
    }
    var nothingFound: String { "Nichts gefunden." }
    func unknownOperator(_ text: String) -> String {
        "„\(text)“ hat einen unbekannten Wert und wurde als Text gesucht."
    }
    var hashtags: String { "Hashtags" }
    var moreHashtags: String { "Weitere Hashtags" }

    // Profiles

    var postsAndReplies: String { "Beiträge und Antworten" }
    func avatar(of name: String) -> String { "Profilbild von @\(name)" }
    func followers(of name: String) -> String { "Follower von \(name)" }
    func followed(by name: String) -> String { "Profile, denen \(name) folgt" }
    func hidesList(_ name: String) -> String { "@\(name) zeigt diese Liste nicht." }

    // Relationships

    var follow: String { "Folgen" }
    var unfollow: String { "Entfolgen" }
    var askToFollow: String { "Follower-Anfrage senden" }
    var withdrawRequest: String { "Anfrage zurückziehen" }
    var acceptRequest: String { "Anfrage annehmen" }
    var rejectRequest: String { "Anfrage ablehnen" }
    var accept: String { "Annehmen" }
    var reject: String { "Ablehnen" }
    var notify: String { "Bei neuen Beiträgen benachrichtigen" }
    var stopNotifying: String { "Nicht mehr benachrichtigen" }
    var showBoosts: String { "Geteilte Beiträge anzeigen" }
    var hideBoosts: String { "Geteilte Beiträge ausblenden" }
    var unmute: String { "Stummschaltung aufheben" }
    var block: String { "Blockieren" }
    var unblock: String { "Blockierung aufheben" }
    var removeFollower: String { "Als Follower entfernen" }
    var youFollow: String { "Du folgst diesem Profil." }
    var youAsked: String { "Du hast eine Follower-Anfrage gesendet." }
    var followsYou: String { "Folgt dir." }
    var asksToFollowYou: String { "Möchte dir folgen." }
    var youBlock: String { "Du blockierst dieses Profil." }
    var blocksYou: String { "Dieses Profil blockiert dich." }
    func youMute(until end: String?, hidesNotifications: Bool) -> String {
        "Dieses Profil ist\(end.map { " bis " + $0 } ?? "") stummgeschaltet"
            + (hidesNotifications ? ", auch seine Benachrichtigungen." : ".")
    }
    func note(about name: String) -> String { "Notiz zu @\(name)" }
    var note: String { "Notiz" }
    var noteHint: String { "Nur du siehst diese Notiz. Zum Entfernen leer lassen." }

    // Reports

    func report(of name: String) -> String { "@\(name) melden" }
    var reportSent: String { "Danke. Deine Meldung ist bei der Moderation dieser Seite eingegangen." }
    func reportHint(_ name: String) -> String {
        "Die Meldung geht an die Moderation dieser Seite. @\(name) sieht sie nicht."
    }
    var reportQuestion: String { "Was sollte die Moderation wissen?" }

    func reason(_ category: Report.Category) -> String {
        switch category {
        case .spam: "Es ist Spam"
        case .legal: "Es ist rechtswidrig"
        case .violation: "Es verstößt gegen Regeln dieser Seite"
        case .other: "Etwas anderes"
        }
    }
}
