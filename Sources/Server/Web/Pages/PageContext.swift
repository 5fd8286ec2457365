import FeedAPI
import FeedCore
import Mustache

/// The values of a page's template. Keys without a value are omitted, since Mustache treats an empty text as present.
struct PageContext {
    let edition: WebReader.Edition
    let base: String
    private(set) var values: [String: Any]

    init(reader: WebReader, edition: WebReader.Edition, base: String, title: String, heading: String) {
        let site = reader.description
        self.edition = edition
        self.base = base
        values = [
            "site": site.title, "title": title, "heading": heading, "pageLanguage": "en", "description": heading,
            "feedEmptyText": "Nothing here yet.", "statuses": [Any](), "empty": false,
            "styleURL": "/assets/style.css?v=" + edition.version, "scriptURL": "/assets/reader.js?v=" + edition.version,
            "iconURL": "/assets/icon.svg?v=" + edition.version,
        ]
        set("contactAccount", site.contactAccount)
        set("contactEmail", site.contactEmail)
        if site.contactAccount != nil || site.contactEmail != nil { values["contact"] = true }
    }

    mutating func set(_ key: String, _ value: Any?) {
        if let value { values[key] = value }
    }

    mutating func show(_ statuses: [Status], focus: Int64? = nil) {
        values["statuses"] = statuses.map { status($0, isFocus: $0.id == focus) }
        values["empty"] = statuses.isEmpty
    }

    mutating func show(_ account: Account) {
        var profile: [String: Any] = [
            "name": account.displayNameOrUsername, "handle": "@" + account.username, "url": "/@" + account.username,
            "avatar": "/avatars/" + account.username, "note": local(account.noteHTML),
            "statuses": String(account.statusesCount), "followers": String(account.followersCount),
            "following": String(account.followingCount), "joined": PageDate.month(account.createdAt),
        ]
        if !account.city.isEmpty { profile["city"] = account.city }
        values["profile"] = profile
    }

    /// Renders a template.
    /// - Parameter template: The name of the template file without `.mustache`.
    func html(_ template: String = "page") -> String {
        edition.templates.render(values, withTemplate: template) ?? ""
    }

    private func status(_ status: Status, isFocus: Bool) -> [String: Any] {
        var item: [String: Any] = [
            "id": String(status.id), "url": "/@\(status.account.username)/\(status.id)",
            "name": status.account.displayNameOrUsername,
            "handle": "@" + status.account.username, "accountURL": "/@" + status.account.username,
            "avatar": "/avatars/" + status.account.username, "datetime": ISO8601.text(milliseconds: status.createdAt),
            "dateText": PageDate.full(status.createdAt), "content": local(status.content), "focus": isFocus,
        ]
        let optional: [(String, String?)] = [
            ("spoiler", status.spoilerText), ("language", status.language), ("source", status.source),
            (
                "visibility",
                status.visibility == .followers ? "Followers only" : status.visibility == .direct ? "Direct" : nil
            ),
            ("boostedBy", status.boost?.account.displayNameOrUsername), ("replyURL", replyURL(status)),
            ("replyName", replyName(status)), ("replies", count(status.repliesCount)),
            ("boosts", count(status.reblogsCount)), ("favourites", count(status.favouritesCount)),
            ("badge", status.account.role == .admin ? "admin" : nil),
        ]
        for (key, value) in optional { if let value, !value.isEmpty { item[key] = value } }
        return item
    }

    private func replyURL(_ status: Status) -> String? { status.inReplyToID.map { "/statuses/\($0)" } }

    private func replyName(_ status: Status) -> String? {
        guard status.inReplyToID != nil else { return nil }
        let named = status.mentions.first { $0.id == status.inReplyToAccountID }
        return named.map { "@" + $0.username } ?? "a post"
    }

    private func count(_ value: Int) -> String? { value > 0 ? String(value) : nil }

    /// Makes URLs on this server relative.
    private func local(_ html: String) -> String { html.replacing("\"~/", with: "\"/") }
}

/// Formats dates for display in UTC; the script of the page makes them relative. Times are milliseconds since 1970.
enum PageDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// The date and time, for example `1 Dec 2023, 06:39 UTC`.
    static func full(_ time: Int64) -> String {
        let parts = ISO8601.parts(milliseconds: time)
        return "\(parts.day) \(months[parts.month - 1]) \(parts.year), \(two(parts.hour)):\(two(parts.minute)) UTC"
    }

    /// The month and year, for example `Dec 2023`.
    static func month(_ time: Int64) -> String {
        let parts = ISO8601.parts(milliseconds: time)
        return "\(months[parts.month - 1]) \(parts.year)"
    }

    private static func two(_ value: Int) -> String { value < 10 ? "0\(value)" : String(value) }
}
