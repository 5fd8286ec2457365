import FeedTestSupport
import Foundation
import TestKit
import Testing

@testable import FeedClientKit

/// In the folder of drafts, only drafts are written and removed, and links are not followed.
@Suite(.hangLimit)
struct DraftFolderTests {
    private let folder: TemporaryFolder
    private let store: DraftStore

    init() throws {
        folder = try TemporaryFolder()
        store = DraftStore(folder: folder.path)
    }

    private var drafts: String { folder.path + "/drafts" }

    private func link(_ path: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    }

    private static func draft(_ text: String) -> KeptDraft {
        KeptDraft(OutboxPost(draft: Draft(text: text)), by: OutboxAccount(server: "http://a.test", username: "ada"))
    }

    /// More files than drafts are kept, some of which are named like drafts.
    @Test func linkedFolderIsNotChanged() throws {
        let draft = Self.draft("one")
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
        for number in 0...DraftStore.maximumDrafts + 5 { try store.save(Self.draft("\(number)")) }
        let all = try FileManager.default.subpathsOfDirectory(atPath: drafts)
        let kept = all.filter { FileManager.default.contents(atPath: drafts + "/" + $0) == Data($0.utf8) }
        #expect(Set(kept) == Set(others))
        #expect(store.drafts().count == DraftStore.maximumDrafts)
    }

    /// A folder with the name of a draft is not ours.
    @Test func folderIsNotRemoved() throws {
        let draft = Self.draft("one")
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
        let draft = Self.draft("mine")
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
        let draft = Self.draft("one")
        try linked.save(draft)
        #expect(store.drafts() == [draft])
        linked.remove(draft.id)
        #expect(store.drafts().isEmpty)
    }
}
