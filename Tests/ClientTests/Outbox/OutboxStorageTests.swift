import FeedTestSupport
import Foundation
import Synchronization
import TestKit
import Testing

@testable import FeedClientKit

/// Entries on the disk: what is stored, who may send it, and what a crash or a failing disk leaves behind.
@Suite(.hangLimit)
struct OutboxStorageTests {
    private static let account = OutboxAccount(server: "http://a.test", username: "ada")

    private let folder: TemporaryFolder
    private let outbox: Outbox

    init() throws {
        folder = try TemporaryFolder()
        outbox = Outbox(folder: folder.path)
    }

    private var names: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/outbox")) ?? []
    }

    private static func post(_ text: String) -> OutboxPost { OutboxPost(draft: Draft(text: text)) }

    @Test func entryHoldsEverythingThatIsSent() async throws {
        var draft = Draft(text: "one\n中文 \u{1F600}")
        (draft.spoilerText, draft.visibility, draft.inReplyToID) = ("cw", "direct", "7")
        (draft.language, draft.isSensitive, draft.mediaIDs) = ("de", true, ["m1"])
        draft.poll = PollDraft(options: ["a", "b"], seconds: 600)
        let file = MediaFile(try folder.file("a.png", "1"), description: "alt", focus: .init(x: 0.5, y: -1))
        let post = OutboxPost(draft: draft, files: [file], scheduledAt: 1_900_000_000_000)
        let claim = try await outbox.add(post, for: Self.account)
        let entries = try await outbox.entries()
        #expect(entries == [claim.entry])
        #expect(entries[0].post == post && entries[0].account == Self.account && entries[0].state == .new)
        let attributes = try FileManager.default.attributesOfItem(
            atPath: folder.path + "/outbox/" + (try #require(names.first)))
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        try await claim.remove()
        #expect(try await outbox.entries().isEmpty && names.isEmpty)
    }

    @Test func onlyOneHolderMaySend() async throws {
        let claim = try await outbox.add(Self.post("one"), for: Self.account)
        let id = claim.entry.id
        let error = await #expect(throws: FeedClientError.self) { try await outbox.claim(id) }
        #expect(error?.code == .tryLater)
        claim.release()
        let again = try await outbox.claim(id)
        #expect(again.entry.post == Self.post("one"))
        try await again.remove()
        let gone = await #expect(throws: FeedClientError.self) { try await outbox.claim(id) }
        #expect(gone?.code == .notFound)
    }

    @Test(arguments: ["", "../../x", "ABCDEF", "abc", "abc/de", "ééé"])
    func otherNamesAreNotIDs(id: String) async throws {
        let error = await #expect(throws: FeedClientError.self) { try await outbox.claim(id) }
        #expect(error?.code == .notFound)
    }

    /// The user repeats a command that has failed. While another process sends the post, it is a second one.
    @Test func repeatedPostIsTheSameEntry() async throws {
        let first = try await outbox.add(Self.post("one"), for: Self.account)
        let id = first.entry.id
        let second = try await outbox.add(Self.post("one"), for: Self.account)
        #expect(second.entry.id != id)
        try await second.remove()
        first.release()
        let third = try await outbox.add(Self.post("one"), for: Self.account)
        #expect(third.entry.id == id)
        third.release()
        #expect(try await outbox.add(Self.post("two"), for: Self.account).entry.id != id)
        let other = OutboxAccount(server: "http://a.test", username: "bob")
        #expect(try await outbox.add(Self.post("one"), for: other).entry.id != id)
    }

    /// A job posts the same words every day, also after days without a network.
    @Test(
        arguments: [
            (0, true), (3_599_999, true), (3_600_000, false), (-3_600_000, false), (86_400_000, false),
        ] as [(Int64, Bool)])
    func laterPostIsAnotherOne(elapsed: Int64, isSame: Bool) async throws {
        let (first, second) = try await (add(Self.post("done"), at: 0), add(Self.post("done"), at: elapsed))
        #expect((first == second) == isSame)
        #expect(names.count == (isSame ? 1 : 2))
    }

    /// Adds a post some milliseconds after a certain time.
    /// - Returns: The id of the entry, which nobody is sending.
    private func add(_ post: OutboxPost, at time: Int64) async throws -> String {
        var timed = outbox
        timed.clock = { 1_700_000_000_000 + time }
        let claim = try await timed.add(post, for: Self.account)
        claim.release()
        return claim.entry.id
    }

    /// The picture at the same path may be another one.
    @Test func postWithAChangedFileIsAnotherOne() async throws {
        let path = try folder.file("a.png", "one")
        let post = OutboxPost(draft: Draft(text: "look"), files: [MediaFile(path)])
        func modify(_ seconds: Double) throws {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: seconds)], ofItemAtPath: path)
        }
        try modify(1_600_000_000)
        let first = try await add(post, at: 0)
        #expect(try await add(post, at: 1) == first)
        try modify(1_600_000_001)
        let second = try await add(post, at: 2)
        #expect(second != first)
        try Data("longer".utf8).write(to: URL(fileURLWithPath: path))
        try modify(1_600_000_001)
        let third = try await add(post, at: 3)
        #expect(third != first && third != second)
        #expect(try await add(post, at: 4) == third)
    }

    /// The first version of the format has no versions of files.
    @Test func filesOfEarlierVersionsAreRead() async throws {
        let line =
            #"{"createdAt":1700000000000,"idempotencyKey":"k","post":{"draft":{"mediaIDs":[],"text":"one"},"files":[]},"#
            + #""server":"http://a.test","username":"ada","version":1}"#
        try ClientFolders.create(folder.path + "/outbox")
        _ = try folder.file("outbox/abcdef.post", line + "\n" + #"{"refused":{"message":"no"}}"# + "\n")
        let entry = try #require(try await outbox.entries().first)
        #expect(entry.post == Self.post("one") && entry.state == .refused(message: "no"))
        #expect(try await add(Self.post("one"), at: 5) == "abcdef")
    }

    @Test func repeatedDelayIsTheSameEntry() async throws {
        var post = Self.post("later")
        post.scheduledAt = 1_900_000_000_000
        let first = try await outbox.add(post, for: Self.account)
        first.release()
        post.scheduledAt = 1_900_000_060_000
        let claim = try await outbox.add(post, for: Self.account)
        #expect(claim.entry.id == first.entry.id && claim.entry.post.scheduledAt == 1_900_000_000_000)
    }

    /// Only complete lines of a file count.
    @Test func cutLinesDoNotCount() throws {
        let entry = OutboxEntry(
            id: "abcdef", account: Self.account, post: Self.post("one\n"), idempotencyKey: "k", createdAt: 5,
            state: .new)
        let states = [
            OutboxState.sending(since: 7, mediaIDs: ["1", "2"]), .unclear(since: 7, mediaIDs: ["1"]),
            .refused(message: "a\nb"), .new,
        ]
        var (data, lengths) = (try OutboxFileFormat.line(entry), [Int]())
        lengths.append(data.count)
        for state in states {
            data += try OutboxFileFormat.line(state)
            lengths.append(data.count)
        }
        for length in 0...data.count {
            let journal = OutboxFileFormat(id: "abcdef", data.prefix(length))
            let complete = lengths.lastIndex { $0 <= length }
            #expect(journal?.entry.state == complete.map { $0 == 0 ? .new : states[$0 - 1] }, "\(length)")
            #expect(journal?.length == complete.map { lengths[$0] })
        }
        let damaged = data.prefix(lengths[1]) + Data("{\"sending\":{\"since\":\n".utf8)
        #expect(OutboxFileFormat(id: "abcdef", damaged)?.entry.state == states[0])
    }

    @Test(arguments: [
        "", "{}\n", "null\n", "\n", #"{"version":2}"# + "\n", String(repeating: "[", count: 100_000) + "\n",
    ])
    func foreignFilesAreLeftAlone(content: String) async throws {
        let claim = try await outbox.add(Self.post("one"), for: Self.account)
        let path = try folder.file("outbox/abcdef.post", content)
        #expect(try await outbox.entries() == [claim.entry])
        #expect(try await outbox.contents().unreadableFiles == [path])
        await #expect(throws: FeedClientError.self) { try await outbox.claim("abcdef") }
        #expect(FileManager.default.fileExists(atPath: path))
    }

    /// A file that cannot be opened, here a symbolic link, is reported and does not affect the others.
    @Test func unreadableFileIsSkipped() async throws {
        try await outbox.add(Self.post("one"), for: Self.account).remove()
        let path = folder.path + "/outbox/abcdef.post"
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/etc/hostname")
        let id = try await add(Self.post("two"), at: 0)
        let contents = try await outbox.contents()
        #expect(contents.entries.map(\.id) == [id] && contents.unreadableFiles == [path])
        #expect(try await add(Self.post("two"), at: 1) == id)
    }

    /// An outbox that cannot be read is not an empty one.
    @Test func unreadableFolderIsAnError() async throws {
        #expect(try await outbox.contents().entries.isEmpty)
        _ = try folder.file("outbox", "")
        let error = await #expect(throws: FeedClientError.self) { try await outbox.entries() }
        #expect(error?.code == .disk)
    }

    @Test func entriesWithInvalidTimesAreRejected() throws {
        for (created, scheduled) in [(Int64.max, Int64?.none), (-1, nil), (5, .max), (5, .min)] as [(Int64, Int64?)] {
            var post = Self.post("one")
            post.scheduledAt = scheduled
            let entry = OutboxEntry(
                id: "abcdef", account: Self.account, post: post, idempotencyKey: "k", createdAt: created, state: .new)
            #expect(OutboxFileFormat(id: "abcdef", try OutboxFileFormat.line(entry)) == nil)
        }
    }

    @Test func numberOfPostsIsLimited() async throws {
        for number in 0..<Outbox.maximumEntries { _ = try await outbox.add(Self.post("\(number)"), for: Self.account) }
        let error = await #expect(throws: FeedClientError.self) {
            try await outbox.add(Self.post("one more"), for: Self.account)
        }
        #expect(error?.code == .failed && error?.message.contains("outbox") == true)
    }

    /// Makes the n-th call to the disk fail, or that one and all later ones.
    private final class Saboteur: Sendable {
        private let count = Atomic(0)
        private let failing: Int
        private let isForGood: Bool

        init(_ failing: Int, forGood: Bool = false) { (self.failing, isForGood) = (failing, forGood) }

        var hasStruck: Bool { count.load(ordering: .relaxed) >= failing }

        var calls: SystemCalls {
            SystemCalls(injectedError: { _ in
                let now = self.count.add(1, ordering: .relaxed).newValue
                return now == self.failing || (self.isForGood && now > self.failing) ? EIO : nil
            })
        }
    }

    /// Either the post is stored, or the caller is told that it is not.
    @Test func anyDiskCallMayFail() async throws {
        var number = 0
        while true {
            number += 1
            let saboteur = Saboteur(number)
            var outbox = outbox
            outbox.calls = saboteur.calls
            do {
                _ = try await outbox.add(Self.post("\(number)"), for: Self.account)
                #expect(!saboteur.hasStruck, "call \(number)")
            } catch let error as FeedClientError {
                #expect(error.code == .disk, "call \(number): \(error)")
            }
            let stored = try await self.outbox.entries().filter { $0.post.draft.text == "\(number)" }
            #expect(stored.count == (saboteur.hasStruck ? 0 : 1), "call \(number)")
            if !saboteur.hasStruck { break }
        }
        #expect(number > 5 && names.count == 1, "\(names)")
    }

    /// A post that the caller may send in another way must not be in the outbox as well.
    @Test func diskMayFailForGood() async throws {
        var number = 0
        while true {
            number += 1
            let saboteur = Saboteur(number, forGood: true)
            var outbox = outbox
            outbox.calls = saboteur.calls
            let claim = try? await outbox.add(Self.post("\(number)"), for: Self.account)
            let stored = try await self.outbox.entries().filter { $0.post.draft.text == "\(number)" }
            #expect(stored.count == (claim == nil ? 0 : 1), "call \(number)")
            if !saboteur.hasStruck { break }
        }
        #expect(number > 5)
    }
}
