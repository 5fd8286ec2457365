import FeedClientKit
import TestKit
import Testing

@testable import feedclient

@Suite(.hangLimit)
struct TimelineArgumentTests {
    @Test(
        arguments: [
            ("home", .home), ("public", .public), ("local", .local), ("favourites", .favourites),
            ("favorites", .favourites), ("bookmarks", .bookmarks), ("@ada", .account("ada")), ("ada", .account("ada")),
            ("@ada@b.example", .account("ada@b.example")), ("@ada@127.0.0.1:80", .account("ada@127.0.0.1:80")),
            ("tag:rust", .tag("rust")), ("#rust", .tag("rust")),
            ("tag:#rust", .tag("rust")), ("tag:中文", .tag("中文")), ("list:Good friends", .list("Good friends")),
        ] as [(String, TimelineName)])
    func namesAreParsed(text: String, name: TimelineName) { #expect(TimelineArgument(argument: text)?.value == name) }

    @Test(arguments: ["", "@", "#", "tag:", "tag:#", "list:", "a b", "tag:a b", "x:y", "https://a.test/@ada"])
    func othersAreRejected(text: String) { #expect(TimelineArgument(argument: text) == nil) }
}
