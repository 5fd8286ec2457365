import Crypto
import FeedFolders
import Foundation

/// The posts that could not be sent, one for each purpose, in files that only their owner can read.
public struct DraftStore: Sendable {
    /// The number of drafts that are kept; the oldest give way.
    static let maximumDrafts = 50
    /// Longer files are not read, in bytes.
    private static let maximumSize: Int64 = 4 << 20
    private static let folderName = "drafts"
    private static let suffix = ".json"
    /// The length in bytes of the hash of a purpose, after which its file is named.
    private static let hashLength = 16

    private let folder: String

    /// - Parameter folder: The state folder; a folder `drafts` is created there when something is stored.
    public init(folder: String) { self.folder = folder }

    /// The draft for a purpose, such as a reply to a certain status.
    /// - Parameter purpose: Any text; the same as in ``save(_:for:)``.
    /// - Returns: `nil` if there is no draft, or if its file is damaged.
    public func draft(for purpose: String) -> KeptDraft? {
        let name = Self.name(purpose)
        guard let drafts = drafts(), let size = drafts.size(ofFile: name), size <= Self.maximumSize,
            let file = try? drafts.openFile(name)
        else { return nil }
        defer { close(file) }
        let data = try? FileCalls.system.contents(of: file, drafts.path(name), limit: Int(size))
        return data.flatMap { try? JSONDecoder().decode(KeptDraft.self, from: $0) }
    }

    /// Stores a draft durably, in place of an earlier one for the same purpose.
    /// - Throws: ``FeedClientError`` `.disk`.
    public func save(_ draft: KeptDraft, for purpose: String) throws(FeedClientError) {
        guard let data = try? JSONEncoder().encode(draft) else {
            throw FeedClientError(.failed, "The draft cannot be encoded")
        }
        let drafts = try ClientFolders.create([Self.folderName], in: folder)
        try DurableFile.replace(Self.name(purpose), in: drafts, with: data)
        Self.removeOldest(in: drafts)
    }

    /// Removes the draft for a purpose, if there is one.
    public func remove(for purpose: String) { _ = try? drafts()?.removeFile(Self.name(purpose)) }

    /// - Returns: `nil` if it cannot be opened, or does not exist.
    private func drafts() -> Folder? { try? ClientFolders.open([Self.folderName], in: folder) }

    private static func name(_ purpose: String) -> String {
        Hexadecimal.text(SHA256.hash(data: Data(purpose.utf8)).prefix(hashLength)) + suffix
    }

    /// Whether a file is a draft; any other is left alone.
    private static func isName(_ name: String) -> Bool {
        let hash = String(name.prefix(2 * hashLength))
        return Hexadecimal.isText(hash, digits: 2 * hashLength) && name == hash + suffix
    }

    private static func removeOldest(in drafts: Folder) {
        let names = ((try? drafts.names()) ?? []).filter { isName($0) && drafts.type($0) == S_IFREG }
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
