import FeedCore

extension German {
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
