import FeedAPI
import Foundation
import NIOCore

/// A server's description of itself, in either version of the API.
public struct InstanceDetails: Sendable, Equatable {
    /// The way in which people join.
    public enum Registration: Sendable, Equatable { case closed, open, approval }

    /// The limits of a status; `nil` for what the server does not say.
    public struct Limits: Sendable, Equatable {
        public var characters: Int?
        public var media: Int?
        public var pollOptions: Int?
        /// In bytes.
        public var imageSize: Int64?
        /// In bytes.
        public var videoSize: Int64?
    }

    public var title = ""
    public var version = ""
    /// HTML, or plain text.
    public var description = ""
    public var languages: [String] = []
    public var rules: [String] = []
    public var registration: Registration?
    /// The email address of the operator.
    public var email = ""
    /// The account of the operator.
    public var contact: Entity.Account?
    public var limits = Limits()
    public var accounts: Int?
    public var statuses: Int?
    /// The accounts that were active within the last month.
    public var activeAccounts: Int?
}

extension InstanceDetails: Decodable {
    private enum Key: String, CodingKey {
        case title, version, description, short_description, languages, rules, registrations, approval_required, email
        case contact, contact_account, configuration, stats, usage
    }

    private struct Rule: Decodable { var text: String }
    private struct Contact: Decodable { var email: String?, account: Entity.Account? }
    private struct Access: Decodable { var enabled: Bool?, approval_required: Bool? }
    private struct Stats: Decodable { var user_count: Int?, status_count: Int? }
    private struct Usage: Decodable {
        struct Users: Decodable { var active_month: Int? }
        var users: Users?
    }
    fileprivate struct Configuration: Decodable {
        struct Statuses: Decodable { var max_characters: Int?, max_media_attachments: Int? }
        struct Media: Decodable { var image_size_limit: Int64?, video_size_limit: Int64? }
        struct Polls: Decodable { var max_options: Int? }
        var statuses: Statuses?
        var media_attachments: Media?
        var polls: Polls?
    }

    /// Members that are missing or of another type are left out; only the version is required.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        func value<Value: Decodable>(_ key: Key, _ type: Value.Type = Value.self) -> Value? {
            (try? fields.decodeIfPresent(Value.self, forKey: key)) ?? nil
        }
        version = try fields.decode(String.self, forKey: .version)
        title = value(.title) ?? ""
        description = value(.description).flatMap { $0.isEmpty ? nil : $0 } ?? value(.short_description) ?? ""
        languages = value(.languages) ?? []
        rules = value(.rules, [Rule].self)?.map(\.text) ?? []
        let contact = value(.contact, Contact.self)
        email = contact?.email ?? value(.email) ?? ""
        self.contact = contact?.account ?? value(.contact_account)
        (accounts, statuses) = (value(.stats, Stats.self)?.user_count, value(.stats, Stats.self)?.status_count)
        activeAccounts = value(.usage, Usage.self)?.users?.active_month
        limits = Limits(value(.configuration, Configuration.self))
        let access =
            value(.registrations, Access.self)
            ?? Access(enabled: value(.registrations), approval_required: value(.approval_required))
        registration = access.enabled.map { $0 ? (access.approval_required == true ? .approval : .open) : .closed }
    }
}

extension InstanceDetails.Limits {
    fileprivate init(_ configuration: InstanceDetails.Configuration?) {
        characters = configuration?.statuses?.max_characters
        media = configuration?.statuses?.max_media_attachments
        pollOptions = configuration?.polls?.max_options
        imageSize = configuration?.media_attachments?.image_size_limit
        videoSize = configuration?.media_attachments?.video_size_limit
    }
}

extension FeedClient {
    /// The server's description of itself, decoded and as it sent it.
    /// - Throws: ``FeedClientError``.
    public func instance() async throws -> (details: InstanceDetails, json: [UInt8]) {
        do {
            return try Self.details(try await transport.send(request(Paths.instanceV2)))
        } catch let error as FeedClientError where [404, 405, 410].contains(error.status) {
            return try Self.details(try await transport.send(request(Paths.instance)))
        }
    }

    private static func details(_ response: Response) throws -> (details: InstanceDetails, json: [UInt8]) {
        (try response.decode(InstanceDetails.self), response.bytes)
    }

    /// The time until a response to ``ping()`` is complete, in seconds.
    private static let maximumPingSeconds = Int64(Timeout.seconds(10))

    /// The server's description of itself, and the duration of a minimal request. A server that does not respond within
    /// 10 seconds is not asked again.
    /// - Throws: ``FeedClientError``.
    public func ping() async throws -> (instance: Entity.Instance, elapsed: Duration) {
        let start = ContinuousClock.now
        let timeout = TimeAmount.seconds(min(Self.maximumPingSeconds, options.responseSeconds))
        do {
            _ = try await transport.send(request(Paths.health), timeout: timeout)
        } catch let error as FeedClientError where [404, 405].contains(error.status) {
            // Not every server has this path, but it has responded.
        }
        let elapsed = ContinuousClock.now - start
        let instance = try await transport.send(request(Paths.instance), timeout: timeout)
        return (try instance.decode(Entity.Instance.self), elapsed)
    }
}

/// Knows which servers honor idempotency keys.
enum IdempotencySupport {
    /// The versions of Mastodon in use; GoToSocial, which ignores keys, has lower ones.
    private static let versions = 2..<100

    /// - Parameter version: The version that the server states: `4.3.0` for Mastodon, and
    ///   `4.3.0 (compatible; feedserver 1.0.0)` for servers with its API.
    static func isKnown(version: String) -> Bool {
        if let name = version.firstMatch(of: /\(compatible; ([^ )]+)/) { return name.1 == "feedserver" }
        let mastodon =
            /([0-9]{1,4})\.[0-9]+\.[0-9]+(?:-(?:alpha|beta|rc|nightly)[0-9a-z.\-]*)?(?:\+(?:glitch|hometown)[0-9a-z.\-]*)?/
        return version.wholeMatch(of: mastodon).flatMap { Int($0.1) }.map(versions.contains) ?? false
    }
}

extension FeedClient {
    /// Whether the server is known to honor idempotency keys for an hour.
    /// - Throws: ``FeedClientError``, except if the server does not say what it is.
    func honorsIdempotencyKeys() async throws -> Bool {
        do {
            let instance = try await transport.send(request(Paths.instance)).decode(Entity.Instance.self)
            return IdempotencySupport.isKnown(version: instance.version)
        } catch let error as FeedClientError where error.isPermanent {
            return false
        }
    }
}
