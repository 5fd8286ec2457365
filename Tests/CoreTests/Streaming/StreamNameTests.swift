import FeedCore
import Testing

@Suite("Names of streams") struct StreamNameTests {
    private static let names: [(String, StreamName)] = [
        ("user", .user), ("user:notification", .userNotification), ("public", .public), ("public:media", .publicMedia),
        ("public:local", .publicLocal), ("public:local:media", .publicLocalMedia), ("public:remote", .publicRemote),
        ("public:remote:media", .publicRemoteMedia), ("hashtag", .hashtag("swift")),
        ("hashtag:local", .hashtagLocal("swift")), ("list", .list(7)), ("direct", .direct),
    ]
    private static let parameters = StreamName.Parameters(tag: "#Swift", list: "7")

    @Test(arguments: names) func nameIsParsedAndWritten(_ channel: String, _ name: StreamName) throws {
        #expect(try StreamName(channel, Self.parameters) == name)
        #expect(name.channel == channel)
    }

    @Test(arguments: [
        ("user", StreamName.user), ("user/notification", .userNotification), ("public", .public),
        ("public/local", .publicLocal), ("public/remote", .publicRemote), ("hashtag", .hashtag("swift")),
        ("hashtag/local", .hashtagLocal("swift")), ("list", .list(7)), ("direct", .direct),
    ]) func pathIsParsed(_ path: String, _ name: StreamName) throws {
        #expect(try StreamName(path: path, Self.parameters) == name)
        #expect(StreamName.paths.contains(path))
    }

    @Test func onlyMediaSelectsTheStreamOfStatusesWithFiles() throws {
        let media = StreamName.Parameters(onlyMedia: true)
        #expect(try StreamName(path: "public", media) == .publicMedia)
        #expect(try StreamName(path: "public/local", media) == .publicLocalMedia)
        #expect(try StreamName(path: "public/remote", media) == .publicRemoteMedia)
        #expect(StreamName.publicLocalMedia.onlyMedia && !StreamName.publicLocal.onlyMedia)
    }

    @Test func arrayContainsTheParameterAsWritten() {
        #expect(StreamName.user.array() == ["user"])
        #expect(StreamName.publicLocalMedia.array() == ["public:local:media"])
        #expect(StreamName.hashtag("swift").array() == ["hashtag", "swift"])
        #expect(StreamName.hashtagLocal("swift").array(tag: "Swift") == ["hashtag:local", "Swift"])
        #expect(StreamName.list(7).array() == ["list", "7"])
    }

    @Test(arguments: [
        ("", StreamName.Parameters()), ("USER", .init()), ("users", .init()), ("public:", .init()),
        ("hashtag", .init()), ("hashtag", .init(tag: "")), ("hashtag", .init(tag: "#")), ("hashtag", .init(tag: "a b")),
        ("hashtag:local", .init(tag: String(repeating: "a", count: 1000))), ("list", .init()),
        ("list", .init(list: "")), ("list", .init(list: "-1")), ("list", .init(list: "x")),
    ]) func unknownNameIsMalformed(_ channel: String, _ parameters: StreamName.Parameters) {
        #expect { try StreamName(channel, parameters) } throws: { ($0 as? FeedError)?.kind == .malformed }
    }

    @Test(arguments: ["", "user:notification", "public/media", "public//local", "/user", "user/", "health"])
    func unknownPathIsMalformed(_ path: String) {
        #expect { try StreamName(path: path, Self.parameters) } throws: { ($0 as? FeedError)?.kind == .malformed }
    }

    @Test func hugeListIDIsTheLargestID() throws {
        #expect(try StreamName("list", .init(list: "99999999999999999999")) == .list(.max))
    }

    @Test func publicStreamsNeedNoToken() {
        #expect(StreamName.hashtagLocal("swift").scope == nil && StreamName.publicRemoteMedia.scope == nil)
        #expect(StreamName.user.scope == .readStatuses && StreamName.direct.scope == .readStatuses)
        #expect(StreamName.userNotification.scope == .readNotifications)
    }
}
