import AsyncHTTPClient
public import FeedAPI
public import Foundation
import NIOCore
import NIOHTTP1

/// The timeline of a server with the classic dialect of the 2014 tutorials. Decoding is lenient: nulls, numbers instead
/// of strings and unknown keys are accepted.
public struct ClassicFeed: Decodable, Sendable, Equatable {
    public struct User: Decodable, Sendable, Equatable {
        public let id: String
        public let name: String
        public let city: String
    }

    public struct Status: Decodable, Sendable, Equatable {
        public let id: String
        public let profileImageURL: String
        public let badgeURL: String
        /// The creation time exactly as the server sent it.
        public let createdAt: String
        public let source: String
        public let text: String
        public let user: User
    }

    /// The maximum number of statuses that a server with the classic dialect sends.
    public static let maximumCount = 50

    public let statuses: [Status]

    /// - Throws: ``FeedClientError`` `.failed` if the JSON is not a list of statuses.
    public init(json: Data) throws(FeedClientError) {
        do {
            self = try JSONDecoder().decode(ClassicFeed.self, from: json)
        } catch {
            throw FeedClientError(.failed, "The server's response is not a list of statuses", cause: error)
        }
    }

    private enum CodingKeys: CodingKey { case statuses }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        statuses = try container.decodeIfPresent([Status].self, forKey: .statuses) ?? []
    }
}

extension ClassicFeed.User {
    private enum CodingKeys: String, CodingKey { case id = "Id", name, city }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = container.lenientText(.id)
        name = container.lenientText(.name)
        city = container.lenientText(.city)
    }
}

extension ClassicFeed.Status {
    private enum CodingKeys: String, CodingKey {
        case id = "Id", profileImageUrl, mbtype, createdAt, source, text, user
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = container.lenientText(.id)
        profileImageURL = container.lenientText(.profileImageUrl)
        badgeURL = container.lenientText(.mbtype)
        createdAt = container.lenientText(.createdAt)
        source = container.lenientText(.source)
        text = container.lenientText(.text)
        let user = try? container.decodeIfPresent(ClassicFeed.User.self, forKey: .user)
        self.user = user ?? ClassicFeed.User(id: "", name: "", city: "")
    }
}

extension KeyedDecodingContainer {
    /// The value as text; empty for null, a missing key, or any other type.
    fileprivate func lenientText(_ key: Key) -> String {
        if let text = try? decode(String.self, forKey: key) { return text }
        if let number = try? decode(Int64.self, forKey: key) { return String(number) }
        if let number = try? decode(Double.self, forKey: key) { return String(number) }
        if let flag = try? decode(Bool.self, forKey: key) { return String(flag) }
        return ""
    }
}

extension FeedClient {
    /// The timeline of a server with the classic dialect. Requires ``Credential/classic(username:password:)``.
    /// - Throws: ``FeedClientError``, with the code `.unauthorized` for any other credential.
    public func classicFeed() async throws -> ClassicFeed {
        guard case .classic(let username, let password) = credential else {
            throw FeedClientError(
                .unauthorized, "Not logged in with the classic dialect", hint: "Use feedclient login URL --classic.")
        }
        let request = formRequest(Paths.classicView, [("userName", username), ("password", password)])
        return try ClassicFeed(json: Data(try await transport.send(request).body.readableBytesView))
    }
}

extension ClassicFeed.Status {
    /// The status as a Mastodon entity. The classic dialect has no usernames, only display names.
    public var entity: Entity.Status {
        var account = Entity.Account(
            id: user.id, username: "", acct: "", display_name: user.name, avatar: profileImageURL)
        account.fields = [("city", user.city), ("badge", badge)].compactMap { name, value in
            value.isEmpty ? nil : Entity.Account.Field(name: name, value: Self.html(value))
        }
        let time = ISO8601.milliseconds(createdAt + "Z").map { ISO8601.text(milliseconds: $0) } ?? createdAt
        return Entity.Status(
            id: id, created_at: time, account: account, content: Self.html(text),
            visibility: "public",
            spoiler_text: "", application: source.isEmpty ? nil : Entity.Application(name: source, website: nil),
            mentions: [], tags: [])
    }

    /// The name of the badge's picture, such as `vip` for `http://feed.example/badges/vip.png`.
    private var badge: String {
        guard let name = URL(string: badgeURL)?.lastPathComponent, name != "/" else { return "" }
        return String(Substring(name.utf8.prefix { $0 != UInt8(ascii: ".") }))
    }

    /// The text as HTML. Escapes scalars: U+0600 would hide a bracket that follows it from a search for characters.
    private static func html(_ text: String) -> String {
        var html = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": html += "&amp;"
            case "<": html += "&lt;"
            case ">": html += "&gt;"
            case "\n": html += "<br>"
            default: html.unicodeScalars.append(scalar)
            }
        }
        return html
    }
}
