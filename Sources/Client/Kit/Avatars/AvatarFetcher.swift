import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// Fetches pictures from anywhere on the web, and never tells anybody who asks.
struct AvatarFetcher: Sendable {
    /// What a server said.
    struct Answer: Sendable {
        let headers: HTTPHeaders
        /// `nil` when the picture is still the one that is known.
        let bytes: [UInt8]?
    }

    private static let redirects: Set<UInt> = [301, 302, 303, 307, 308]
    private static let maximumRedirects = 3
    private static let maximumAddress = 4096

    let client: FeedClient
    /// Bytes of a picture.
    let maximumBytes: Int

    /// - Parameters:
    ///   - known: What is here already, to be asked for only when it has changed.
    ///   - timeout: For each request, the body included.
    /// - Throws: ``FeedClientError``, or `CancellationError`.
    func fetch(_ url: String, knowing known: AvatarEntry?, timeout: TimeAmount) async throws -> Answer {
        var url = url
        for _ in 0...Self.maximumRedirects {
            let response = try await execute(Self.request(url, known), timeout)
            if response.status == .notModified, known != nil {
                await Self.drain(response)
                return Answer(headers: response.headers, bytes: nil)
            }
            guard let target = Self.target(of: response, from: url) else {
                return Answer(headers: response.headers, bytes: try await bytes(of: response))
            }
            await Self.drain(response)
            url = try Self.checked(target)
        }
        throw FeedClientError(.failed, "The picture's address leads from one to the next")
    }

    /// The address without what only a browser needs.
    /// - Throws: ``FeedClientError`` `.failed` when it is no web address.
    static func checked(_ url: String) throws(FeedClientError) -> String {
        guard url.utf8.count <= maximumAddress, let parts = URL(string: url), let scheme = parts.scheme?.lowercased(),
            scheme == "http" || scheme == "https", let host = parts.host(), !host.isEmpty, parts.hasValidPort,
            parts.user() == nil
        else { throw FeedClientError(.failed, "The picture has no web address") }
        return String(url.prefix { $0 != "#" })
    }

    private static func request(_ url: String, _ known: AvatarEntry?) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: url)
        request.headers.add(name: "User-Agent", value: "feedclient")
        request.headers.add(name: "Accept", value: "image/png, image/jpeg, image/gif, image/webp, */*;q=0.1")
        if let etag = known?.etag { request.headers.add(name: "If-None-Match", value: etag) }
        if let date = known?.lastModified { request.headers.add(name: "If-Modified-Since", value: date) }
        return request
    }

    private func execute(_ request: HTTPClientRequest, _ timeout: TimeAmount) async throws -> HTTPClientResponse {
        let transport = client.transport
        return try await transport.translated { try await transport.client.execute(request, timeout: timeout) }
    }

    private static func target(of response: HTTPClientResponse, from url: String) -> String? {
        guard redirects.contains(response.status.code), let location = response.headers.first(name: "Location") else {
            return nil
        }
        return URL(string: location, relativeTo: URL(string: url))?.absoluteString
    }

    private func bytes(of response: HTTPClientResponse) async throws -> [UInt8] {
        guard response.status == .ok else {
            throw try await client.transport.refusal(response, hadCredentials: false)
        }
        if let text = response.headers.first(name: "Content-Length"), let count = Int(text), count > maximumBytes {
            throw tooLarge
        }
        return try await client.transport.translated { try await collected(response.body) }
    }

    private func collected(_ body: HTTPClientResponse.Body) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await piece in body {
            guard bytes.count + piece.readableBytes <= maximumBytes else { throw tooLarge }
            bytes.append(contentsOf: piece.readableBytesView)
        }
        return bytes
    }

    private var tooLarge: FeedClientError {
        FeedClientError(.failed, "The picture is larger than \(maximumBytes) bytes")
    }

    /// Reads the little a redirect or a 304 may say, so that the connection serves again.
    private static func drain(_ response: HTTPClientResponse) async {
        _ = try? await response.body.collect(upTo: 16 * 1024)
    }
}
