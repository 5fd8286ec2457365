import FeedTestSupport
import Foundation
import Synchronization
import Testing

@testable import FeedClientKit

/// Entries on the disk: what is stored, who may send it, and what a crash or a failing disk leaves behind.
@Suite(.timeLimit(.minutes(15)))
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
        var claim: OutboxClaim? = try await outbox.add(Self.post("one"), for: Self.account)
        let id = try #require(claim?.entry.id)
        let error = await #expect(throws: FeedClientError.self) { try await outbox.claim(id) }
        #expect(error?.code == .tryLater)
        claim = nil
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
        var first: OutboxClaim? = try await outbox.add(Self.post("one"), for: Self.account)
        let id = try #require(first?.entry.id)
        var second: OutboxClaim? = try await outbox.add(Self.post("one"), for: Self.account)
        #expect(second?.entry.id != id)
        try await second?.remove()
        (first, second) = (nil, nil)
        #expect(try await outbox.add(Self.post("one"), for: Self.account).entry.id == id)
        #expect(try await outbox.add(Self.post("two"), for: Self.account).entry.id != id)
        let other = OutboxAccount(server: "http://a.test", username: "bob")
        #expect(try await outbox.add(Self.post("one"), for: other).entry.id != id)
    }

    @Test func repeatedDelayIsTheSameEntry() async throws {
        var post = Self.post("later")
        post.scheduledAt = 1_900_000_000_000
        let id = try await outbox.add(post, for: Self.account).entry.id
        post.scheduledAt = 1_900_000_060_000
        let claim = try await outbox.add(post, for: Self.account)
        #expect(claim.entry.id == id && claim.entry.post.scheduledAt == 1_900_000_000_000)
    }

    /// Only complete lines of a file count.
    @Test func cutLinesDoNotCount() throws {
        let entry = OutboxEntry(
            id: "abcdef", account: Self.account, post: Self.post("one\n"), idempotencyKey: "k", createdAt: 5,
            state: .new)
        let states = [
            OutboxState.sending(since: 7, mediaIDs: ["1", "2"]), .unclear(since: 7), .refused(message: "a\nb"), .new,
        ]
        var (data, lengths) = (try OutboxJournal.line(entry), [Int]())
        lengths.append(data.count)
        for state in states {
            data += try OutboxJournal.line(state)
            lengths.append(data.count)
        }
        for length in 0...data.count {
            let journal = OutboxJournal(id: "abcdef", data.prefix(length))
            let complete = lengths.lastIndex { $0 <= length }
            #expect(journal?.entry.state == complete.map { $0 == 0 ? .new : states[$0 - 1] }, "\(length)")
            #expect(journal?.length == complete.map { lengths[$0] })
        }
        let damaged = data.prefix(lengths[1]) + Data("{\"sending\":{\"since\":\n".utf8)
        #expect(OutboxJournal(id: "abcdef", damaged)?.entry.state == states[0])
    }

    @Test(arguments: [
        "", "{}\n", "null\n", "\n", #"{"version":2}"# + "\n", String(repeating: "[", count: 100_000) + "\n",
    ])
    func foreignFilesAreLeftAlone(content: String) async throws {
        let claim = try await outbox.add(Self.post("one"), for: Self.account)
        let path = try folder.file("outbox/abcdef.post", content)
        #expect(try await outbox.entries() == [claim.entry])
        await #expect(throws: FeedClientError.self) { try await outbox.claim("abcdef") }
        #expect(FileManager.default.fileExists(atPath: path))
    }

    @Test func entriesWithInvalidTimesAreRejected() throws {
        for (created, scheduled) in [(Int64.max, Int64?.none), (-1, nil), (5, .max), (5, .min)] as [(Int64, Int64?)] {
            var post = Self.post("one")
            post.scheduledAt = scheduled
            let entry = OutboxEntry(
                id: "abcdef", account: Self.account, post: post, idempotencyKey: "k", createdAt: created, state: .new)
            #expect(OutboxJournal(id: "abcdef", try OutboxJournal.line(entry)) == nil)
        }
    }

    @Test func numberOfPostsIsLimited() async throws {
        for number in 0..<Outbox.maximumEntries { _ = try await outbox.add(Self.post("\(number)"), for: Self.account) }
        let error = await #expect(throws: FeedClientError.self) {
            try await outbox.add(Self.post("one more"), for: Self.account)
        }
        #expect(error?.code == .failed && error?.message.contains("outbox") == true)
    }

    /// Makes the n-th call to the disk fail.
    private final class Saboteur: Sendable {
        private let count = Atomic(0)
        private let failing: Int

        init(_ failing: Int) { self.failing = failing }

        var hasStruck: Bool { count.load(ordering: .relaxed) >= failing }

        var calls: FileCalls {
            FileCalls(injectedError: { _ in
                self.count.add(1, ordering: .relaxed).newValue == self.failing ? EIO : nil
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
}
