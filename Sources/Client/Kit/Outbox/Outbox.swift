import FeedFolders
import Foundation

/// Posts that are stored before they are sent, and remain stored until the server is known to have them.
///
/// Each is a file of its own in the state folder, which only its owner can read. A process that sends it holds a lock on
/// the file, so several processes can use the same outbox. Whether a post is sent again after a failure, a crash or a
/// power cut depends on what is known about the attempt and the server; it is never posted twice. One that the server
/// refuses becomes a draft; see ``DraftStore``.
///
/// ```swift
/// let outbox = Outbox(folder: ClientFolders().state)
/// let claim = try await outbox.add(OutboxPost(draft: Draft(text: "Hello")), for: account)
/// if case .kept(_, let error?) = try await claim.send(with: client) { print("later:", error) }
/// ```
public struct Outbox: Sendable {
    /// The number of posts that can wait.
    static let maximumEntries = 200
    /// The age in seconds from which a temporary file counts as abandoned.
    private static let temporarySeconds: Int64 = 3600
    private static let folderName = "outbox"

    /// The folder with the files of the posts.
    public let folder: String
    private let state: String
    private var drafts: DraftStore { DraftStore(folder: state) }
    /// The system calls that touch the disk; tests make them fail.
    var calls = SystemCalls.system
    /// Milliseconds since 1970.
    var clock: @Sendable () -> Int64 = { Milliseconds.now }

    /// - Parameter folder: The state folder; a folder `outbox` is created there when something is stored.
    public init(folder: String) { (state, self.folder) = (folder, folder + "/" + Self.folderName) }

    /// All entries, of all accounts, the oldest first, without the files that cannot be read.
    /// - Throws: ``FeedClientError`` `.disk` if the folder cannot be read.
    public func entries() async throws -> [OutboxEntry] { try await contents().entries }

    /// All entries, and the files that cannot be read.
    /// - Throws: ``FeedClientError`` `.disk` if the folder cannot be read.
    public func contents() async throws -> OutboxContents {
        try await DiskThreads.run {
            // Before the first post, there is no folder.
            guard let folder = try open() else { return OutboxContents(entries: [], unreadableFiles: []) }
            return try read(folder)
        }
    }

    /// Stores a post durably, and locks it for sending.
    ///
    /// If the same post of the account, with the same files, was added within an hour and nobody is sending it, that entry
    /// is returned: the user has repeated a command that failed.
    /// - Throws: ``FeedClientError`` `.disk` if it cannot be stored, `.notFound` if a media file does not exist, `.failed`
    ///   if too many posts wait.
    public func add(_ post: OutboxPost, for account: OutboxAccount) async throws -> OutboxClaim {
        try await DiskThreads.run {
            for file in post.files { _ = try MultipartForm.size(of: file.path) }
            let versions = post.files.map { FileVersion(of: $0.path) }
            let folder = try ClientFolders.create([Self.folderName], in: state, calls: calls)
            removeTemporaryFiles(in: folder)
            let entries = try read(folder).entries
            if let earlier = try repeated(post, versions, account, entries, in: folder) { return earlier }
            guard entries.count < Self.maximumEntries else {
                throw FeedClientError(
                    .failed, "\(entries.count) posts wait in the outbox, so no more are accepted",
                    hint: "Send them with feedclient outbox flush, or remove some with feedclient outbox drop.")
            }
            return try create(post, versions, account, at: time(after: entries), in: folder)
        }
    }

    /// Locks an entry.
    /// - Throws: ``FeedClientError`` `.notFound` if there is no such entry, `.tryLater` if another process sends it.
    public func claim(_ id: String) async throws -> OutboxClaim {
        try await DiskThreads.run {
            guard LocalID.isID(id), let folder = try open(),
                let file = try OutboxFile.open(id, in: folder, calls: calls)
            else {
                throw FeedClientError(
                    .notFound, "No post \(id) in the outbox",
                    hint: "feedclient outbox lists all; refused posts are listed by feedclient drafts.")
            }
            return OutboxClaim(file, drafts, clock)
        }
    }

    // MARK: Files

    /// - Returns: `nil` if the folder does not exist.
    private func open() throws(FeedClientError) -> Folder? {
        try ClientFolders.open([Self.folderName], in: state, calls: calls)
    }

    /// One file that cannot be read must not keep the others from being sent.
    private func read(_ folder: Folder) throws(FeedClientError) -> OutboxContents {
        var (entries, unreadable) = ([OutboxEntry](), [String]())
        for id in try ids(in: folder) {
            do {
                if let entry = try OutboxFile.entry(id, in: folder, calls: calls) { entries.append(entry) }
            } catch {
                unreadable.append(folder.path(OutboxFile.name(id)))
            }
        }
        return OutboxContents(
            entries: entries.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) },
            unreadableFiles: unreadable.sorted())
    }

    /// The ids of the files; a bounded number of them is read.
    private func ids(in folder: Folder) throws(FeedClientError) -> [String] {
        do throws(FolderError) {
            return try folder.names().compactMap(Self.id(ofFile:)).prefix(2 * Self.maximumEntries).map(\.self)
        } catch {
            throw AtomicFile.failure("read", error)
        }
    }

    /// Removes the files of processes that were killed while they were storing a post.
    private func removeTemporaryFiles(in folder: Folder) {
        for name in (try? folder.names()) ?? [] {
            guard TemporaryName.finalName(of: name).flatMap(Self.id(ofFile:)) != nil, let status = folder.status(name)
            else { continue }
            let age = (clock() / 1000).subtractingSaturating(FileVersion(status).seconds)
            if age > Self.temporarySeconds { _ = try? folder.removeFile(name) }
        }
    }

    private func repeated(
        _ post: OutboxPost, _ versions: [FileVersion?], _ account: OutboxAccount, _ entries: [OutboxEntry],
        in folder: Folder
    ) throws(FeedClientError) -> OutboxClaim? {
        for (index, entry) in entries.enumerated() where entry.account == account {
            let later = entries[(index + 1)...].filter { $0.account == account }.compactMap(\.post.action)
            guard entry.isRepeated(by: post, versions, at: clock()),
                entry.post.action?.isEffective(before: later) ?? true
            else { continue }
            // Another process may be sending it, or this one may not be permitted to.
            guard let file = try? OutboxFile.open(entry.id, in: folder, calls: calls) else { continue }
            // The reason may no longer apply.
            if case .refused = file.entry.state { try file.store(.new) }
            return OutboxClaim(file, drafts, clock)
        }
        return nil
    }

    /// The time of a new entry: entries of the same moment keep their order, and a clock that was wrong is forgotten.
    private func time(after entries: [OutboxEntry]) -> Int64 {
        let now = clock()
        guard let last = entries.last?.createdAt, (now..<now.addingSaturating(1000)).contains(last) else { return now }
        return last + 1
    }

    private func create(
        _ post: OutboxPost, _ versions: [FileVersion?], _ account: OutboxAccount, at time: Int64, in folder: Folder
    ) throws(FeedClientError) -> OutboxClaim {
        while true {
            let entry = OutboxEntry(
                id: LocalID.make(), account: account, post: post, idempotencyKey: UUID().uuidString, createdAt: time,
                fileVersions: versions, state: .new)
            if let file = try OutboxFile.create(entry, in: folder, calls: calls) {
                return OutboxClaim(file, drafts, clock)
            }
        }
    }

    /// The id of the entry whose file has a name.
    private static func id(ofFile name: String) -> String? {
        LocalID.id(ofFile: name, suffix: OutboxFile.name(""))
    }
}

/// The content of an ``Outbox``.
public struct OutboxContents: Sendable {
    /// All entries, of all accounts, the oldest first.
    public let entries: [OutboxEntry]
    /// The paths of files that cannot be read, for example because they belong to another user, are damaged, or were
    /// written by another version. They are left alone.
    public let unreadableFiles: [String]
}
