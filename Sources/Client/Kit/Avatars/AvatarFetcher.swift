import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// Fetches pictures from any web server, without credentials.
struct AvatarFetcher: Sendable {
    struct Response: Sendable {
        let headers: HTTPHeaders
        /// `nil` if the cached picture is still valid.
        let bytes: [UInt8]?
    }

    private static let redirects: Set<UInt> = [301, 302, 303, 307, 308]
    private static let maximumRedirects = 3
    private static let maximumDrainedBytes = 16 * 1024
    /// The maximum length of a URL in bytes.
    private static let maximumURLLength = 4096

    let client: FeedClient
    /// The largest size of a picture, in bytes.
    let maximumBytes: Int

    /// - Parameters:
    ///   - cached: The cached picture, which is fetched again only if it has changed.
    ///   - timeout: The timeout for each request, including the body.
    /// - Throws: ``FeedClientError``, or `CancellationError`.
    func fetch(_ url: String, cached: AvatarEntry?, timeout: TimeAmount) async throws -> Response {
        var url = url
        for _ in 0...Self.maximumRedirects {
            let response = try await execute(request(url, cached), timeout)
            if response.status == .notModified, cached != nil {
                await Self.drain(response)
                return Response(headers: response.headers, bytes: nil)
            }
            guard let target = Self.target(of: response, from: url) else {
                return Response(headers: response.headers, bytes: try await bytes(of: response))
            }
            await Self.drain(response)
            url = try Self.validated(target)
        }
        throw FeedClientError(.failed, "The picture's address redirects too many times")
    }

    /// The URL without its fragment.
    /// - Throws: ``FeedClientError`` `.failed` unless it is an http or https URL.
    static func validated(_ url: String) throws(FeedClientError) -> String {
        guard url.utf8.count <= maximumURLLength, let parts = URL(string: url), let scheme = parts.scheme?.lowercased(),
            scheme == "http" || scheme == "https", let host = parts.host(), !host.isEmpty, parts.hasValidPort,
            parts.user() == nil
        else { throw FeedClientError(.failed, "The picture's address is not a web address") }
        return String(Substring(url.utf8.prefix { $0 != UInt8(ascii: "#") }))
    }

    private func request(_ url: String, _ cached: AvatarEntry?) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: url)
        request.headers.add(name: "User-Agent", value: client.options.userAgent)
        request.headers.add(name: "Accept", value: "image/png, image/jpeg, image/gif, image/webp, */*;q=0.1")
        if let etag = cached?.etag { request.headers.add(name: "If-None-Match", value: etag) }
        if let date = cached?.lastModified { request.headers.add(name: "If-Modified-Since", value: date) }
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
            throw await client.transport.error(response, hadCredentials: false)
        }
        if let text = response.headers.first(name: "Content-Length"), let count = Int(text), count > maximumBytes {
            throw tooLarge
        }
        return try await client.transport.translated { try await collected(response.body) }
    }

    private func collected(_ body: HTTPClientResponse.Body) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await chunk in body {
            guard bytes.count + chunk.readableBytes <= maximumBytes else { throw tooLarge }
            bytes.append(contentsOf: chunk.readableBytesView)
        }
        return bytes
    }

    private var tooLarge: FeedClientError {
        FeedClientError(.failed, "The picture is larger than \(maximumBytes) bytes")
    }

    /// Reads a short body, so that the connection can be reused.
    private static func drain(_ response: HTTPClientResponse) async {
        _ = try? await response.body.collect(upTo: maximumDrainedBytes)
    }
}
