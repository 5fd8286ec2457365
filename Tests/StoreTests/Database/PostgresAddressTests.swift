import FeedCore
import TestKit
import Testing

@testable import FeedStore

@Suite(.hangLimit)
struct PostgresAddressTests {
    @Test(arguments: [
        "postgresql://db.example/feed", "postgres://ada@db.example:5432/feed", "postgresql:///feed?host=/run/pg",
        "postgresql://[::1]:5432/feed", "postgresql://ada@/feed?sslmode=require", "postgresql://db/feed?user=a:b@c",
    ])
    func addressWithoutAPasswordIsAccepted(text: String) throws {
        #expect(try PostgresAddress(text).text == text)
    }

    /// URLs in which libpq would find a password.
    @Test(arguments: [
        "postgresql://ada:secret@db.example/feed", "postgresql://ada:se@cr:et@db.example/feed",
        "postgresql://ada:se?cret@db.example/feed", "postgresql://ada:se#cret@db.example", "postgresql://:secret@/feed",
        "postgresql://db.example/feed?password=secret", "postgresql://db/feed?x=1&p%61ssword=secret",
        "postgresql://db.example/feed?sslpassword=secret",
    ])
    func addressWithAPasswordIsRefused(text: String) {
        let error = #expect(throws: FeedError.self) { try PostgresAddress(text) }
        #expect(error?.message == "the address must not contain a password")
        #expect(error?.description.contains("secret") == false && error?.description.contains("cret@") == false)
    }

    @Test(arguments: ["", "feed", "mysql://db", "postgresql:db", "//db/feed"])
    func otherTextsAreRefused(text: String) {
        #expect(throws: FeedError.self) { try PostgresAddress(text) }
    }
}
