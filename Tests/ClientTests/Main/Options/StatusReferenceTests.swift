import FeedClientKit
import TestKit
import Testing

@testable import feedclient

/// Arguments that name a status.
@Suite(.hangLimit)
struct StatusReferenceTests {
    @Test(arguments: [
        ("17", "17"), ("https://feed.example/@ada/17", "17"), ("HTTPS://FEED.example:443/@ada/17/", "17"),
        ("https://feed.example/web/statuses/17?x#y", "17"),
    ])
    func idsAndURLsOfStatusesAreAccepted(text: String, id: String) throws {
        #expect(try StatusReference.id(text, on: ServerAddress("https://feed.example")) == id)
    }

    @Test(arguments: [
        "", "https://feed.example", "https://feed.example/", "https://other.example/@ada/17",
        "http://feed.example/@ada/17",
    ])
    func otherReferencesAreRejected(text: String) {
        #expect { try StatusReference.id(text, on: ServerAddress("https://feed.example")) } throws: {
            ($0 as? FeedClientError)?.code == .usage
        }
    }

    // MARK: References

    private static let server = "https://feed.example"
    private static let ids = (0..<1200).map { "1140000000000\(10_000 + $0)" }

    private static func resolve(_ text: String, _ listing: [String]?) async throws -> ReferencedStatus {
        try await StatusReference.resolve(text, on: ServerAddress(server), listing: listing) { ending in
            (ids + ["1234", "77777"]).filter { $0.hasSuffix(ending) }
        }
    }

    /// Up to the length of the listing, a number is a position; beyond it, the end of an id.
    @Test(
        arguments: [
            ("1", 20, 0), ("20", 20, 19), ("999", 1200, 998), ("1200", 1200, 1199),
            ("1201", 1200, nil), ("10003", 20, nil), ("0003", 20, nil),
        ] as [(String, Int, Int?)])
    func numberIsAPosition(text: String, count: Int, position: Int?) async throws {
        let found = try await Self.resolve(text, Array(Self.ids.prefix(count)))
        #expect(found.isNumber == (position != nil))
        if let position { #expect(found.id == Self.ids[position]) } else { #expect(found.id.hasSuffix(text)) }
    }

    @Test(arguments: [
        ("114000000000010003", "114000000000010003"), ("11003", "114000000000011003"),
        ("https://feed.example/@ada/17", "17"), ("01HX3Z6QTRKJ8M2V5W7Y9ABCDE", "01HX3Z6QTRKJ8M2V5W7Y9ABCDE"),
        // Unknown, or short ids of another kind of server.
        ("5555555", "5555555"), ("1234", "1234"), ("7777", "7777"),
    ])
    func endsOfIDsAreResolved(text: String, id: String) async throws {
        for listing in [nil, [], Self.ids] as [[String]?] {
            #expect(try await Self.resolve(text, listing) == ReferencedStatus(id: id, isNumber: false))
        }
    }

    @Test(
        arguments: [
            ("1", nil, "only a terminal"), ("1", 0, "have been listed"), ("21", 20, "1 to 20"),
            ("999", nil, "terminal"),
        ] as [(String, Int?, String)])
    func othersAreRefused(text: String, count: Int?, words: String) async {
        let listing = count.map { Array(Self.ids.prefix($0)) }
        await #expect {
            try await Self.resolve(text, listing)
        } throws: { error in
            (error as? FeedClientError)?.code == .usage && "\(error)".contains(words)
        }
    }

    @Test(arguments: ["garbage", "@ada", "12 34", "1234/5", "１２３４"])
    func wordsThatAreNoIDsAreRefused(text: String) async {
        await #expect {
            try await Self.resolve(text, Self.ids)
        } throws: { error in
            (error as? FeedClientError)?.code == .usage && "\(error)".contains("does not identify a status")
        }
    }

    @Test func ambiguousEndIsRefused() async {
        let ids = ["114000000000015555", "114000000000025555"]
        await #expect {
            try await StatusReference.resolve("5555", on: ServerAddress(Self.server), listing: ids) { _ in [] }
        } throws: { error in
            "\(error)".contains(ids.joined(separator: " or "))
        }
    }
}
