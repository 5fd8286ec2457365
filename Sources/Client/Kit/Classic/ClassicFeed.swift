import AsyncHTTPClient
public import FeedAPI
public import Foundation
import NIOCore
import NIOHTTP1

/// The JSON of the 2014 tutorial back ends, read kindly: nulls, numbers as text and unknown keys do no harm.
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
        /// As the server wrote it.
        public let createdAt: String
        public let source: String
        public let text: String
        public let user: User
    }

    /// Statuses such a server gives at most.
    public static let longest = 50

    public let statuses: [Status]

    /// - Throws: ``FeedClientError`` `.failed` when it is no such list.
    public init(json: Data) throws(FeedClientError) {
        do {
            self = try JSONDecoder().decode(ClassicFeed.self, from: json)
        } catch {
            throw FeedClientError(.failed, "The server's answer is no list of statuses", cause: error)
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
        id = container.kindText(.id)
        name = container.kindText(.name)
        city = container.kindText(.city)
    }
}

extension ClassicFeed.Status {
    private enum CodingKeys: String, CodingKey {
        case id = "Id", profileImageUrl, mbtype, createdAt, source, text, user
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = container.kindText(.id)
        profileImageURL = container.kindText(.profileImageUrl)
        badgeURL = container.kindText(.mbtype)
        createdAt = container.kindText(.createdAt)
        source = container.kindText(.source)
        text = container.kindText(.text)
        let user = try? container.decodeIfPresent(ClassicFeed.User.self, forKey: .user)
        self.user = user ?? ClassicFeed.User(id: "", name: "", city: "")
    }
}

extension KeyedDecodingContainer {
    /// Text, whatever it was written as; empty for null, a missing key, or something else.
    fileprivate func kindText(_ key: Key) -> String {
        if let text = try? decode(String.self, forKey: key) { return text }
        if let number = try? decode(Int64.self, forKey: key) { return String(number) }
        if let number = try? decode(Double.self, forKey: key) { return String(number) }
        if let flag = try? decode(Bool.self, forKey: key) { return String(flag) }
        return ""
    }
}

extension FeedClient {
    /// The statuses of a server that speaks the classic dialect, for a login with ``Credential/classic(username:password:)``.
    /// - Throws: ``FeedClientError`` `.unauthorized` without such a login.
    public func classicFeed() async throws -> ClassicFeed {
        guard case .classic(let username, let password) = credential else {
            throw FeedClientError(
                .unauthorized, "There is no classic login", hint: "Use feedclient login URL --classic.")
        }
        let request = form(Paths.classicView, [("userName", username), ("password", password)])
        return try ClassicFeed(json: Data(try await transport.send(request).body.readableBytesView))
    }
}

extension ClassicFeed.Status {
    /// The same as an entity, for showing it like any other status. There is no handle: only the name to show is known.
    public var entity: Entity.Status {
        let account = Entity.Account(
            id: user.id, username: "", acct: "", display_name: user.name, avatar: profileImageURL)
        let time = ISO8601.milliseconds(createdAt + "Z").map { ISO8601.text(milliseconds: $0) } ?? createdAt
        let escaped = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
        return Entity.Status(
            id: id, created_at: time, account: account, content: escaped.replacing("\n", with: "<br>"),
            visibility: "public",
            spoiler_text: "", application: source.isEmpty ? nil : Entity.Application(name: source, website: nil),
            mentions: [], tags: [])
    }
}
