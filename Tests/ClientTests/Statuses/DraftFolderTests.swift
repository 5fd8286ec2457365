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

    /// The name of the file of a draft.
    private func fileName(_ purpose: String) throws -> String {
        let other = try TemporaryFolder()
        try DraftStore(folder: other.path).save(KeptDraft(text: "one"), for: purpose)
        return try #require(try FileManager.default.contentsOfDirectory(atPath: other.path + "/drafts").first)
    }

    /// More files than drafts are kept, some of which are named like drafts.
    @Test func linkedFolderIsNotChanged() throws {
        let name = try fileName("post")
        let names = (0..<DraftStore.maximumDrafts).map { "\($0).json" } + [name, "project.json/deep/notes.txt"]
        let foreign = try ForeignFolder(names + (10..<20).map { String(repeating: "\($0)", count: 16) + ".json" })
        try link(drafts, to: foreign.path)
        let error = #expect(throws: FeedClientError.self) { try store.save(KeptDraft(text: "one"), for: "post") }
        #expect(error?.code == .disk && error?.hint != nil)
        #expect(error?.message == drafts + " is a symbolic link")
        #expect(store.draft(for: "post") == nil)
        store.remove(for: "post")
        #expect(foreign.changes == [])
    }

    @Test func onlyDraftsAreRemoved() throws {
        let hash = String(repeating: "0", count: 32)
        let others =
            (0..<DraftStore.maximumDrafts).map { "\($0).json" }
            + [
                "project.json/deep/notes.txt", "\(hash).json/notes.txt", "\(hash)0.json", "\(hash.dropLast()).json",
                "\(hash.dropLast())A.json", "\(hash).txt",
            ]
        for name in others { try ForeignFolder.write(name, below: drafts) }
        let purposes = (0...DraftStore.maximumDrafts + 5).map(String.init)
        for purpose in purposes { try store.save(KeptDraft(text: purpose), for: purpose) }
        let all = try FileManager.default.subpathsOfDirectory(atPath: drafts)
        let kept = all.filter { FileManager.default.contents(atPath: drafts + "/" + $0) == Data($0.utf8) }
        #expect(Set(kept) == Set(others))
        #expect(purposes.count { store.draft(for: $0) != nil } == DraftStore.maximumDrafts)
    }

    /// A folder with the name of a draft is not ours.
    @Test func folderIsNotRemoved() throws {
        let name = try fileName("post")
        try ForeignFolder.write(name + "/deep/notes.txt", below: drafts)
        store.remove(for: "post")
        #expect(FileManager.default.fileExists(atPath: drafts + "/\(name)/deep/notes.txt"))
        #expect(store.draft(for: "post") == nil)
        #expect(throws: FeedClientError.self) { try store.save(KeptDraft(text: "one"), for: "post") }
        #expect(FileManager.default.fileExists(atPath: drafts + "/\(name)/deep/notes.txt"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: drafts) == [name])
    }

    /// The new draft takes the place of the link.
    @Test func linkedDraftIsNotReadAndNotChanged() throws {
        let name = try fileName("post")
        let foreign = try ForeignFolder { path in
            try JSONEncoder().encode(KeptDraft(text: "theirs")).write(to: URL(fileURLWithPath: path + "/draft.json"))
        }
        try FileManager.default.createDirectory(atPath: drafts, withIntermediateDirectories: true)
        try link(drafts + "/" + name, to: foreign.path("draft.json"))
        #expect(store.draft(for: "post") == nil)
        try store.save(KeptDraft(text: "mine"), for: "post")
        #expect(store.draft(for: "post")?.text == "mine")
        #expect(foreign.changes == [])
    }

    @Test func stateFolderMayBeALink() throws {
        let other = try TemporaryFolder()
        try link(other.path + "/state", to: folder.path)
        let linked = DraftStore(folder: other.path + "/state")
        try linked.save(KeptDraft(text: "one"), for: "post")
        #expect(store.draft(for: "post")?.text == "one")
        linked.remove(for: "post")
        #expect(store.draft(for: "post") == nil)
    }
}
