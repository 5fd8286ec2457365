import FeedFolders
import Foundation

/// The posts that the user has to change or to send again, in files that only their owner can read.
public struct DraftStore: Sendable {
    /// The number of drafts that are kept; the oldest give way.
    static let maximumDrafts = 50
    /// Longer files are not read, in bytes.
    private static let maximumSize: Int64 = 8 << 20
    private static let folderName = "drafts"
    private static let suffix = ".json"

    private let folder: String

    /// - Parameter folder: The state folder; a folder `drafts` is created there when something is stored.
    public init(folder: String) { self.folder = folder }

    /// All drafts, of all accounts, the oldest first, without the files that cannot be read.
    public func drafts() -> [StoredDraft] {
        guard let drafts = open() else { return [] }
        return Self.ids(in: drafts).compactMap { Self.read($0, in: drafts) }
            .sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }

    /// - Throws: ``FeedClientError`` `.notFound` if there is no such draft, or its file is damaged.
    public func draft(_ id: String) throws(FeedClientError) -> StoredDraft {
        guard LocalID.isID(id), let draft = open().flatMap({ Self.read(id, in: $0) }) else {
            throw FeedClientError(.notFound, "No draft \(id)", hint: "feedclient drafts lists all.")
        }
        return draft
    }

    /// Stores a draft durably, in place of those with the same id or content.
    /// - Throws: ``FeedClientError`` `.disk`.
    public func save(_ draft: StoredDraft) throws(FeedClientError) {
        guard let data = try? JSONEncoder().encode(draft) else {
            throw FeedClientError(.failed, "The draft cannot be encoded")
        }
        let drafts = try ClientFolders.create([Self.folderName], in: folder)
        try AtomicFile.replace(draft.id + Self.suffix, in: drafts, with: data)
        for copy in self.drafts() where copy.id != draft.id && copy.hasSameContent(as: draft) { remove(copy.id) }
        Self.removeOldest(in: drafts)
    }

    /// Removes a draft, if it exists.
    public func remove(_ id: String) {
        guard LocalID.isID(id) else { return }
        _ = try? open()?.removeFile(id + Self.suffix)
    }

    /// Removes the drafts with the same content, because it has been sent or is stored elsewhere.
    public func removeCopies(of draft: StoredDraft) {
        for copy in drafts() where copy.hasSameContent(as: draft) { remove(copy.id) }
    }

    /// - Returns: `nil` if it cannot be opened, or does not exist.
    private func open() -> Folder? { try? ClientFolders.open([Self.folderName], in: folder) }

    /// The ids of the files that are drafts; any other is left alone.
    private static func ids(in drafts: Folder) -> [String] {
        ((try? drafts.names()) ?? []).compactMap { name in
            drafts.type(name) == S_IFREG ? LocalID.id(ofFile: name, suffix: suffix) : nil
        }
    }

    private static func read(_ id: String, in drafts: Folder) -> StoredDraft? {
        let name = id + suffix
        guard let size = drafts.size(ofFile: name), size <= maximumSize, let file = try? drafts.openFile(name) else {
            return nil
        }
        defer { close(file) }
        let data = try? SystemCalls.system.contents(of: file, drafts.path(name), limit: Int(size))
        guard let draft = data.flatMap({ try? JSONDecoder().decode(StoredDraft.self, from: $0) }), draft.id == id,
            [draft.createdAt, draft.post.scheduledAt ?? 0].allSatisfy(Milliseconds.valid.contains)
        else { return nil }
        return draft
    }

    private static func removeOldest(in drafts: Folder) {
        let names = ids(in: drafts).map { $0 + suffix }
        guard names.count > maximumDrafts else { return }
        let aged = names.map { (name: $0, time: modificationTime($0, in: drafts)) }
        for (name, _) in aged.sorted(by: { $0.time < $1.time }).dropLast(maximumDrafts) {
            _ = try? drafts.removeFile(name)
        }
    }

    /// In seconds and nanoseconds since 1970.
    private static func modificationTime(_ name: String, in drafts: Folder) -> (Int64, Int64) {
        let version = drafts.status(name).map { FileVersion($0) }
        return (version?.seconds ?? 0, version?.nanoseconds ?? 0)
    }
}

/// A post that is kept on disk because the server refused it, or because it was not sent and is not in the outbox.
public struct StoredDraft: Codable, Sendable, Equatable {
    /// Identifies the draft on this machine: six letters and digits.
    public let id: String
    public let account: OutboxAccount
    /// The text as it was sent, with all mentions, and what belongs to it.
    public let post: OutboxPost
    /// The status whose new text this is; `nil` for a new status.
    public let editedID: String?
    /// The reason for which the server refused it.
    public let reason: String?
    /// Milliseconds since 1970.
    public let createdAt: Int64

    /// - Parameter id: The id of the draft to replace, or of the post in the outbox; `nil` for a new one.
    public init(
        _ post: OutboxPost, by account: OutboxAccount, editing editedID: String? = nil, reason: String? = nil,
        id: String? = nil
    ) {
        (self.post, self.account, self.editedID, self.reason) = (post, account, editedID, reason)
        (self.id, createdAt) = (id ?? LocalID.make(), Milliseconds.now)
    }

    /// Whether another draft says the same, apart from when and why it was kept.
    func hasSameContent(as other: StoredDraft) -> Bool {
        (account, post, editedID) == (other.account, other.post, other.editedID)
    }
}

/// Names what this machine stores for its user: six letters and digits that are easy to type.
enum LocalID {
    private static let letters = Array("abcdefghjkmnpqrstuvwxyz23456789")
    private static let length = 6

    static func make() -> String { String((0..<length).compactMap { _ in letters.randomElement() }) }

    /// Whether a text is an id. Any other text could point outside its folder.
    static func isID(_ text: String) -> Bool { text.utf8.count == length && text.allSatisfy(letters.contains) }

    /// The id in the name of a file.
    /// - Parameter suffix: What follows the id, such as `.post`.
    /// - Returns: `nil` for any other name.
    static func id(ofFile name: String, suffix: String) -> String? {
        let id = String(name.prefix(length))
        return isID(id) && name == id + suffix ? id : nil
    }
}
