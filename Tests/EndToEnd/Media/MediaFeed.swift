import FeedTestSupport
import Foundation
import TestKit
import Testing

/// An attachment, as the API shows it.
struct ShownMedia: Decodable, Sendable, Equatable {
    let id: String
    let type: String
    let url: String?
    let previewUrl: String?
    let description: String?

    /// The addresses of the file and of its thumbnail.
    var addresses: [String] { [url, previewUrl].compactMap(\.self) }
}

/// A status with its attachments.
struct ShownStatus: Decodable, Sendable, Equatable {
    let id: String
    let content: String
    let mediaAttachments: [ShownMedia]
}

/// The pictures of an account.
struct ShownAccount: Decodable, Sendable {
    let id: String
    let avatar: String
    let avatarStatic: String
    let header: String
    let headerStatic: String

    /// The addresses of the pictures, each once.
    var addresses: Set<String> { [avatar, avatarStatic, header, headerStatic] }
}

/// Requests about media to a server with the accounts of ``FileServer``.
extension FileServer {
    /// The entity in a successful response.
    /// - Throws: ``UnexpectedResponse``.
    static func decode<Value: Decodable>(
        _ response: RawHTTP.Response, as type: Value.Type = Value.self
    ) throws -> Value {
        guard (200..<300).contains(response.status) else { throw UnexpectedResponse(response: response) }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Value.self, from: response.body)
    }

    private func form(
        _ method: String, _ path: String, _ parts: [Data], as token: String?
    ) async throws -> RawHTTP.Response {
        try await RawHTTP.send(
            port: port, method, path,
            headers: [Self.authorization(token ?? ada), "Content-Type: \(MultipartForm.type)"],
            body: MultipartForm.whole(parts))
    }

    private static func part(_ name: String, _ file: Data) -> Data {
        MultipartForm.part("Content-Disposition: form-data; name=\"\(name)\"; filename=\"upload\"", file)
    }

    /// Uploads a file.
    /// - Parameter version: 2 for the endpoint that may respond with 202.
    func upload(
        _ file: Data, description: String? = nil, version: Int = 1, as token: String? = nil
    ) async throws -> RawHTTP.Response {
        let fields = description.map { [MultipartForm.field("description", $0)] } ?? []
        return try await form("POST", "/api/v\(version)/media", [Self.part("file", file)] + fields, as: token)
    }

    /// Uploads a file and waits until it has been processed.
    func media(
        _ file: Data, _ description: String? = nil, version: Int = 1, as token: String? = nil
    ) async throws -> ShownMedia {
        let response = try await upload(file, description: description, version: version, as: token)
        let begun = try Self.decode(response, as: ShownMedia.self)
        guard response.status == 202 else { return begun }
        var ready: ShownMedia?
        try await Wait.until("the upload has been processed") {
            let response = try await state(of: begun.id, as: token)
            if response.status != 206 { ready = try Self.decode(response) }
            return ready != nil
        }
        return ready ?? begun
    }

    /// The attachment as its owner sees it.
    func state(of id: String, as token: String? = nil) async throws -> RawHTTP.Response {
        try await RawHTTP.send(
            port: port, "GET", "/api/v1/media/\(id)", headers: [Self.authorization(token ?? ada)])
    }

    /// Posts a status with attachments.
    func post(_ text: String, _ media: [ShownMedia], as token: String? = nil) async throws -> RawHTTP.Response {
        let words = media.map { "&media_ids[]=\($0.id)" }.joined()
        return try await RawHTTP.send(
            port: port, "POST", "/api/v1/statuses",
            headers: [Self.authorization(token ?? ada), "Content-Type: application/x-www-form-urlencoded"],
            body: Data("status=\(text)\(words)".utf8))
    }

    /// Sets the avatar and the header.
    func setPictures(avatar: Data, header: Data, as token: String? = nil) async throws -> RawHTTP.Response {
        try await form(
            "PATCH", "/api/v1/accounts/update_credentials",
            [Self.part("avatar", avatar), Self.part("header", header)], as: token)
    }

    func profile(as token: String? = nil) async throws -> ShownAccount {
        let path = "/api/v1/accounts/verify_credentials"
        return try Self.decode(
            try await RawHTTP.send(port: port, "GET", path, headers: [Self.authorization(token ?? ada)]))
    }

    /// All statuses of an account, newest first.
    func statuses(as token: String? = nil) async throws -> [ShownStatus] {
        let path = "/api/v1/accounts/\(try await profile(as: token).id)/statuses?limit=40"
        var (all, next): ([ShownStatus], String?) = ([], path)
        while let page = next {
            let response = try await RawHTTP.send(
                port: port, "GET", page, headers: [Self.authorization(token ?? ada)])
            let statuses = try Self.decode(response, as: [ShownStatus].self)
            all += statuses
            next = statuses.last.map { path + "&max_id=" + $0.id }
        }
        return all
    }

    /// The response to a request for an address that another server with the same feed may have given out.
    func fetch(_ address: String) async throws -> RawHTTP.Response {
        let parts = try #require(URLComponents(string: address), "\(address)")
        let query = parts.percentEncodedQuery.map { "?" + $0 } ?? ""
        return try await RawHTTP.send(port: port, "GET", parts.percentEncodedPath + query)
    }

    /// The bytes at all addresses of the statuses and of the profile.
    func pictures(as token: String? = nil) async throws -> [String: Data] {
        let profile = try await profile(as: token)
        let attached = try await statuses(as: token).flatMap { $0.mediaAttachments.flatMap(\.addresses) }
        var found: [String: Data] = [:]
        for address in attached + profile.addresses {
            let response = try await fetch(address)
            guard response.status == 200 else { throw UnexpectedResponse(response: response) }
            let parts = URLComponents(string: address)
            found[parts.map { $0.path + "?" + ($0.query ?? "") } ?? address] = response.body
        }
        return found
    }
}

/// A response that is not the expected one. It is not recorded as a failure where a server may be killed.
struct UnexpectedResponse: Error, CustomStringConvertible {
    let response: RawHTTP.Response

    var description: String { "\(response.status) \(response.text.prefix(500))" }
}
