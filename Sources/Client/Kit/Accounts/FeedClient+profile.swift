import AsyncHTTPClient
public import FeedAPI
import Foundation
import NIOCore
import NIOHTTP1

/// Changes to a profile. Properties that are `nil` leave it unchanged.
public struct ProfileChanges: Sendable, Equatable {
    /// A change of the avatar or the header.
    public enum Picture: Sendable, Equatable {
        /// An image on the disk.
        case file(String)
        /// Back to the server's own picture.
        case removed
    }

    public var displayName: String?
    /// Plain text about the account.
    public var note: String?
    /// Whether followers must be approved.
    public var isLocked: Bool?
    public var isBot: Bool?
    /// Whether the account may be suggested to others.
    public var isDiscoverable: Bool?
    /// Whether public statuses may appear in searches.
    public var isIndexable: Bool?
    /// Whether others cannot see followers and followed accounts.
    public var hidesCollections: Bool?
    /// The visibility of new statuses by default: `public`, `unlisted` or `private`.
    public var visibility: String?
    /// Whether the media of new statuses is sensitive by default.
    public var isSensitive: Bool?
    /// The language of new statuses by default, as a tag such as `de`; empty for none.
    public var language: String?
    /// All rows of the profile's table; most servers accept four.
    public var fields: [Entity.Profile.Field]?
    public var avatar: Picture?
    public var header: Picture?

    public init() {}

    /// The fields of a form.
    var form: [(String, String?)] {
        let flags = [
            ("locked", isLocked), ("bot", isBot), ("discoverable", isDiscoverable), ("indexable", isIndexable),
            ("hide_collections", hidesCollections), ("source[sensitive]", isSensitive),
        ]
        let texts = [
            ("display_name", displayName), ("note", note), ("source[privacy]", visibility),
            ("source[language]", language),
        ]
        return texts + flags.map { name, value in (name, value.map(String.init)) } + rows
    }

    /// An empty list is sent as one row without a name, which servers leave out.
    private var rows: [(String, String?)] {
        guard let fields else { return [] }
        let sent = fields.isEmpty ? [Entity.Profile.Field(name: "", value: "")] : fields
        return sent.enumerated().flatMap { index, row -> [(String, String?)] in
            [("fields_attributes[\(index)][name]", row.name), ("fields_attributes[\(index)][value]", row.value)]
        }
    }
}

extension FeedClient {
    /// The profile of this account, decoded and as the server sent it.
    /// - Throws: ``FeedClientError``.
    public func profile() async throws -> (profile: Entity.Profile, json: [UInt8]) {
        try Self.profile(try await transport.send(request(Paths.verifyCredentials)))
    }

    /// Changes the profile of this account.
    /// - Returns: The profile with all changes, decoded and as the server sent it.
    /// - Throws: ``FeedClientError``; `.notFound`, before anything is sent, if a picture does not exist.
    public func updateProfile(
        _ draft: ProfileChanges
    ) async throws -> (profile: Entity.Profile, json: [UInt8]) {
        let pictures = [("avatar", draft.avatar), ("header", draft.header)]
        var form = PictureForm()
        for case (let name, .file(let path)?) in pictures { try form.addFile(path, as: name) }
        for case (let name, let value?) in draft.form { form.addField(name, value) }
        for case (let name, .removed?) in pictures { try await removePicture(name) }
        guard !form.isEmpty else { return try await profile() }
        var request = request(Paths.updateCredentials)
        form.add(to: &request)
        request.method = .PATCH
        return try Self.profile(try await transport.send(request))
    }

    private func removePicture(_ name: String) async throws {
        var request = request(Paths.profile + "/" + name)
        request.method = .DELETE
        _ = try await transport.send(request)
    }

    private static func profile(_ response: Response) throws -> (profile: Entity.Profile, json: [UInt8]) {
        (try response.decode(Entity.Profile.self), response.bytes)
    }
}

/// A form whose pictures are small enough to be read into memory, so that a single request makes all changes.
struct PictureForm {
    /// The maximum size of a picture in bytes; servers accept less.
    private static let maximumSize = 16 << 20

    private let boundary = "feedclient-" + UUID().uuidString
    private var body = ByteBuffer()

    /// Whether there is nothing to send.
    var isEmpty: Bool { body.readableBytes == 0 }

    mutating func addField(_ name: String, _ value: String) {
        addHead("name=\"\(name)\"")
        body.writeString(value + "\r\n")
    }

    /// - Throws: ``FeedClientError`` `.notFound` if there is no such file, `.disk` if it cannot be read, `.failed` if it
    ///   is not a regular file or too large.
    mutating func addFile(_ path: String, as name: String) throws(FeedClientError) {
        let content = try FileReader(path: path).contents(limit: Self.maximumSize)
        guard content.count <= Self.maximumSize else {
            throw FeedClientError(
                .failed, "\(path) is larger than \(Self.maximumSize >> 20) MiB", hint: "Choose a smaller picture.")
        }
        addHead("name=\"\(name)\"; filename=\"\(name)\"\r\nContent-Type: application/octet-stream")
        body.writeBytes(content)
        body.writeString("\r\n")
    }

    private mutating func addHead(_ parameters: String) {
        body.writeString("--\(boundary)\r\nContent-Disposition: form-data; \(parameters)\r\n\r\n")
    }

    /// Makes the form the body of a request.
    func add(to request: inout HTTPClientRequest) {
        var body = body
        body.writeString("--\(boundary)--\r\n")
        request.headers.add(name: "Content-Type", value: "multipart/form-data; boundary=" + boundary)
        request.body = .bytes(body)
    }
}
