import FeedAPI
import FeedTestSupport
import Foundation
import TestKit
import Testing

@testable import FeedClientKit

@Suite(.hangLimit)
struct DraftStoreTests {
    private let folder: TemporaryFolder
    private let store: DraftStore

    init() throws {
        folder = try TemporaryFolder()
        store = DraftStore(folder: folder.path)
    }

    private static func draft(_ text: String) -> KeptDraft {
        KeptDraft(text: text, spoilerText: "cw", visibility: "direct")
    }

    private var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path + "/drafts") }
    }

    @Test func draftsAreKeptByPurpose() throws {
        #expect(store.draft(for: "post") == nil)
        try store.save(Self.draft("one"), for: "post")
        try store.save(Self.draft("two"), for: "reply 1")
        try store.save(Self.draft("three\n中文"), for: "post")
        #expect(store.draft(for: "post") == Self.draft("three\n中文"))
        #expect(store.draft(for: "reply 1")?.text == "two")
        store.remove(for: "post")
        store.remove(for: "post")
        #expect(store.draft(for: "post") == nil && store.draft(for: "reply 1") != nil)
    }

    @Test func othersCannotReadDrafts() throws {
        try store.save(Self.draft("secret"), for: "post")
        let file = try #require(try files.first)
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/drafts/" + file)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(!file.contains("post"))
    }

    @Test func damagedAndHugeFilesAreIgnored() throws {
        try store.save(Self.draft("one"), for: "post")
        let path = folder.path + "/drafts/" + (try #require(try files.first))
        try Data("{".utf8).write(to: URL(fileURLWithPath: path))
        #expect(store.draft(for: "post") == nil)
        #expect(truncate(path, 1 << 40) == 0)
        #expect(store.draft(for: "post") == nil)
        try store.save(Self.draft("two"), for: "post")
        #expect(store.draft(for: "post")?.text == "two")
    }

    /// Earlier versions stored more members.
    @Test func unknownMembersAreIgnored() throws {
        try store.save(Self.draft("one"), for: "post")
        let path = folder.path + "/drafts/" + (try #require(try files.first))
        let older =
            #"{"text":"two","spoilerText":"cw","visibility":"direct","request":"r","idempotencyKey":"k"}"#
        try Data(older.utf8).write(to: URL(fileURLWithPath: path))
        #expect(store.draft(for: "post") == Self.draft("two"))
    }

    @Test func numberOfDraftsIsLimited() throws {
        for number in 0...DraftStore.maximumDrafts + 5 { try store.save(Self.draft("\(number)"), for: "\(number)") }
        #expect(try files.count == DraftStore.maximumDrafts)
        #expect(store.draft(for: "\(DraftStore.maximumDrafts + 5)") != nil)
    }

    private static let now: Int64 = 1_700_000_000_000

    private static func poll(endsIn seconds: Int64?) -> Entity.Poll {
        var poll = Entity.Poll(
            id: "1", options: [.init(title: "a", votes_count: 2), .init(title: "b", votes_count: 0)])
        poll.expires_at = seconds.map { ISO8601.text(milliseconds: now + $0 * 1000) }
        return poll
    }

    /// An edit sends the poll again, as it is.
    @Test(arguments: [(3600, 3600), (10, 300), (nil, 2_592_000)] as [(Int64?, Int)])
    func editKeepsThePoll(left: Int64?, seconds: Int) throws {
        var poll = Self.poll(endsIn: left)
        let draft = try PollDraft(keeping: poll, now: Self.now)
        #expect(draft.options == ["a", "b"] && draft.seconds == seconds && !draft.isMultiple && !draft.hidesTotals)
        poll.multiple = true
        poll.options = [.init(title: "a"), .init(title: "b")]
        let hidden = try PollDraft(keeping: poll, now: Self.now)
        #expect(hidden.isMultiple && hidden.hidesTotals)
    }

    @Test func pollThatHasEndedPreventsAnEdit() {
        var poll = Self.poll(endsIn: -1)
        #expect(throws: FeedClientError.self) { try PollDraft(keeping: poll, now: Self.now) }
        poll = Self.poll(endsIn: 60)
        poll.expired = true
        #expect(throws: FeedClientError.self) { try PollDraft(keeping: poll, now: Self.now) }
    }
}
