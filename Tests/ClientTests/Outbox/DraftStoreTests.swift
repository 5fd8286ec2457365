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

    private static let account = OutboxAccount(server: "http://a.test", username: "ada")

    private static func draft(_ text: String, editing id: String? = nil) -> StoredDraft {
        var draft = Draft(text: text)
        (draft.spoilerText, draft.visibility) = ("cw", "direct")
        return StoredDraft(
            OutboxPost(draft: draft, files: [MediaFile("/a.png", description: "a boat")]), by: account, editing: id,
            reason: "too long")
    }

    private var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path + "/drafts") }
    }

    @Test func draftsAreKept() throws {
        #expect(store.drafts().isEmpty)
        let (one, two) = (Self.draft("one\n中文"), Self.draft("two", editing: "7"))
        try store.save(one)
        try store.save(two)
        #expect(Set(store.drafts().map(\.id)) == [one.id, two.id])
        #expect(try store.draft(one.id) == one && store.draft(two.id) == two)
        store.remove(one.id)
        store.remove(one.id)
        #expect(store.drafts() == [two])
        let error = #expect(throws: FeedClientError.self) { try store.draft(one.id) }
        #expect(error?.code == .notFound)
    }

    /// The user repeats a command that is refused again.
    @Test func sameContentIsKeptOnce() throws {
        try store.save(Self.draft("one"))
        let again = Self.draft("one")
        try store.save(again)
        try store.save(Self.draft("one", editing: "7"))
        #expect(store.drafts().count == 2 && store.drafts().contains(again))
        store.removeCopies(of: Self.draft("one"))
        #expect(store.drafts().map(\.editedID) == ["7"])
    }

    @Test(arguments: ["", "..", "../abc", "abcdef/x", "ABCDEF", "abcde", "abcdef.json"])
    func otherTextsAreNoIDs(text: String) throws {
        try store.save(Self.draft("one"))
        #expect(throws: FeedClientError.self) { try store.draft(text) }
        store.remove(text)
        #expect(store.drafts().count == 1)
    }

    @Test func othersCannotReadDrafts() throws {
        try store.save(Self.draft("secret"))
        let file = try #require(try files.first)
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/drafts/" + file)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test func damagedAndHugeFilesAreIgnored() throws {
        try store.save(Self.draft("one"))
        let path = folder.path + "/drafts/" + (try #require(try files.first))
        try Data("{".utf8).write(to: URL(fileURLWithPath: path))
        #expect(store.drafts().isEmpty)
        #expect(truncate(path, 1 << 40) == 0)
        #expect(store.drafts().isEmpty)
        let two = Self.draft("two")
        try store.save(two)
        #expect(store.drafts() == [two])
    }

    @Test func numberOfDraftsIsLimited() throws {
        var last = Self.draft("")
        for number in 0...DraftStore.maximumDrafts + 5 {
            last = Self.draft("\(number)")
            try store.save(last)
        }
        #expect(try files.count == DraftStore.maximumDrafts)
        #expect(try store.draft(last.id) == last)
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

    private var drafts: String { folder.path + "/drafts" }

    private func link(_ path: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    }

    private static func textOnly(_ text: String) -> StoredDraft {
        StoredDraft(OutboxPost(draft: Draft(text: text)), by: account)
    }

    /// More files than drafts are kept, some of which are named like drafts.
    @Test func linkedFolderIsNotChanged() throws {
        let draft = Self.textOnly("one")
        let names =
            (0..<DraftStore.maximumDrafts).map { "\($0).json" } + [draft.id + ".json", "project.json/notes.txt"]
        let foreign = try ForeignFolder(names + (22..<32).map { String(repeating: "\($0)", count: 3) + ".json" })
        try link(drafts, to: foreign.path)
        let error = #expect(throws: FeedClientError.self) { try store.save(draft) }
        #expect(error?.code == .disk && error?.hint != nil)
        #expect(error?.message == drafts + " is a symbolic link")
        #expect(store.drafts().isEmpty)
        store.remove(draft.id)
        #expect(foreign.changes == [])
    }

    @Test func onlyDraftsAreRemoved() throws {
        let others =
            (0..<DraftStore.maximumDrafts).map { "\($0).json" }
            + [
                "project.json/deep/notes.txt", "222222.json/notes.txt", "2222222.json", "22222.json", "22222A.json",
                "222222.txt",
            ]
        for name in others { try ForeignFolder.write(name, below: drafts) }
        for number in 0...DraftStore.maximumDrafts + 5 { try store.save(Self.textOnly("\(number)")) }
        let all = try FileManager.default.subpathsOfDirectory(atPath: drafts)
        let kept = all.filter { FileManager.default.contents(atPath: drafts + "/" + $0) == Data($0.utf8) }
        #expect(Set(kept) == Set(others))
        #expect(store.drafts().count == DraftStore.maximumDrafts)
    }

    /// A folder with the name of a draft is not ours.
    @Test func folderIsNotRemoved() throws {
        let draft = Self.textOnly("one")
        let name = draft.id + ".json"
        try ForeignFolder.write(name + "/deep/notes.txt", below: drafts)
        store.remove(draft.id)
        #expect(FileManager.default.fileExists(atPath: drafts + "/\(name)/deep/notes.txt"))
        #expect(store.drafts().isEmpty)
        #expect(throws: FeedClientError.self) { try store.save(draft) }
        #expect(FileManager.default.fileExists(atPath: drafts + "/\(name)/deep/notes.txt"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: drafts) == [name])
    }

    /// The new draft takes the place of the link.
    @Test func linkedDraftIsNotReadAndNotChanged() throws {
        let draft = Self.textOnly("mine")
        let foreign = try ForeignFolder { path in
            try JSONEncoder().encode(draft).write(to: URL(fileURLWithPath: path + "/draft.json"))
        }
        try FileManager.default.createDirectory(atPath: drafts, withIntermediateDirectories: true)
        try link(drafts + "/\(draft.id).json", to: foreign.path("draft.json"))
        #expect(store.drafts().isEmpty)
        try store.save(draft)
        #expect(store.drafts() == [draft])
        #expect(foreign.changes == [])
    }

    @Test func stateFolderMayBeALink() throws {
        let other = try TemporaryFolder()
        try link(other.path + "/state", to: folder.path)
        let linked = DraftStore(folder: other.path + "/state")
        let draft = Self.textOnly("one")
        try linked.save(draft)
        #expect(store.drafts() == [draft])
        linked.remove(draft.id)
        #expect(store.drafts().isEmpty)
    }
}
