import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

@testable import FeedWeb

/// Cached pages in the coding that the client prefers.
@Suite(.hangLimit)
struct CompressedPageTests {
    private static let gzip = ["Accept-Encoding": "gzip, deflate"]
    private static let paths = [
        "/", "/@ada", "/tags/tag", "/api/v1/timelines/public", "/api/v1/timelines/home", "/api/v1/timelines/tag/tag",
    ]

    /// A server with pages that are worth compressing.
    private static func run(_ body: @escaping @Sendable (WebAPI, Member) async throws -> Void) async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            for number in 0..<5 { try await post(number, api, ada) }
            try await body(api, ada)
        }
    }

    /// The pages of members are never compressed.
    private static func reader(_ path: String, _ member: Member) -> Member? { path.hasPrefix("/api/") ? member : nil }

    private static func post(_ number: Int, _ api: WebAPI, _ person: Member) async throws {
        let posted = try await api.send(
            .post, "/api/v1/statuses", as: person, .form("status=Post+number+\(number)+with+%23tag"))
        #expect(posted.status == 200, "\(posted.summary)")
    }

    private static func unpacked(_ response: WebResponse) async throws -> Data {
        let done = try await Tool.run("gzip", ["-dc"], input: response.body)
        #expect(done.code == 0, "\(done.error)")
        return done.output
    }

    /// The first request gets the page as it is, and the following ones get it compressed, also after a change.
    @Test(arguments: paths) func secondRequestIsCompressed(path: String) async throws {
        try await Self.run { api, ada in
            var bodies: Set<Data> = []
            for number in 10..<13 {
                let first = try await api.send(.get, path, as: Self.reader(path, ada), headers: Self.gzip)
                #expect(first.status == 200 && first.headers[.contentEncoding] == nil)
                for _ in 0..<2 {
                    let second = try await api.send(.get, path, as: Self.reader(path, ada), headers: Self.gzip)
                    #expect(second.headers[.contentEncoding] == "gzip" && second.body.count < first.body.count / 2)
                    #expect(second.headers[.eTag] != first.headers[.eTag])
                    #expect(second.headers[.contentType] == first.headers[.contentType])
                    #expect(second.headers[.link] == first.headers[.link])
                    #expect(try await Self.unpacked(second) == first.body)
                }
                let plain = try await api.send(.get, path, as: Self.reader(path, ada))
                #expect(plain.headers[.contentEncoding] == nil && plain.body == first.body)
                for response in [first, plain] { #expect(response.headers[.vary]?.contains("Accept-Encoding") == true) }
                bodies.insert(first.body)
                try await Self.post(number, api, ada)
            }
            #expect(bodies.count == 3)
        }
    }

    /// Either representation is confirmed to a client that accepts it.
    @Test func eachRepresentationHasItsOwnTag() async throws {
        try await Self.run { api, ada in
            let path = "/api/v1/timelines/home"
            let reader = Self.reader(path, ada)
            let plain = try #require(try await api.send(.get, path, as: reader, headers: Self.gzip).headers[.eTag])
            let short = try #require(try await api.send(.get, path, as: reader, headers: Self.gzip).headers[.eTag])
            #expect(plain != short)
            let expected: [(tag: String, accepts: String, status: Int, returned: String)] = [
                (plain, "gzip", 304, plain), (short, "gzip", 304, short), ("\(short), \(plain)", "gzip", 304, short),
                (plain, "identity", 304, plain), (short, "identity", 200, plain), ("\"x-gzip\"", "gzip", 200, short),
            ]
            for (tag, accepts, status, returned) in expected {
                let response = try await api.send(
                    .get, path, as: Self.reader(path, ada), headers: ["If-None-Match": tag, "Accept-Encoding": accepts])
                #expect(response.status == status && response.headers[.eTag] == returned, "\(tag) \(accepts)")
                #expect(response.headers[.vary] == "Authorization, Cookie, Accept-Encoding")
                if status == 304 { #expect(response.body.isEmpty && response.headers[.contentEncoding] == nil) }
            }
            try await Self.post(10, api, ada)
            let headers = ["If-None-Match": "\(plain), \(short)", "Accept-Encoding": "gzip"]
            #expect(try await api.send(.get, path, as: Self.reader(path, ada), headers: headers).status == 200)
        }
    }

    /// Small pages, errors and pages with a form are never compressed.
    @Test func otherResponsesAreNotCompressed() async throws {
        try await Self.run { api, ada in
            let empty = try await api.person("empty")
            for path in [
                "/api/v1/accounts/\(empty.id)/statuses", "/@nobody", "/oauth/authorize?response_type=code", "/join/x",
                "/api/v1/statuses/1",
            ] {
                for _ in 0..<3 {
                    let headers = Self.gzip.merging(["Accept": "text/html"]) { $1 }
                    let response = try await api.send(.get, path, headers: headers)
                    #expect(response.headers[.contentEncoding] == nil, "\(path)")
                }
            }
        }
    }
}
