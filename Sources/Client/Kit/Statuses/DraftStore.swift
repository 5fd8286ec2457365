import Crypto
import Foundation

/// The posts that could not be sent, one for each purpose, in files that only their owner can read.
public struct DraftStore: Sendable {
    /// The number of drafts that are kept; the oldest give way.
    static let maximumDrafts = 50
    /// Longer files are not read, in bytes.
    private static let maximumSize: Int64 = 4 << 20

    private let folder: String

    /// - Parameter folder: The state folder; a folder `drafts` is created there when something is stored.
    public init(folder: String) { self.folder = folder + "/drafts" }

    /// The draft for a purpose, such as a reply to a certain status.
    /// - Parameter purpose: Any text; the same as in ``save(_:for:)``.
    /// - Returns: `nil` if there is no draft, or if its file is damaged.
    public func draft(for purpose: String) -> KeptDraft? {
        let path = path(purpose)
        guard let size = try? FileForm.size(of: path), size <= Self.maximumSize,
            let data = FileManager.default.contents(atPath: path)
        else { return nil }
        return try? JSONDecoder().decode(KeptDraft.self, from: data)
    }

    /// Stores a draft durably, in place of an earlier one for the same purpose.
    /// - Throws: ``FeedClientError`` `.disk`.
    public func save(_ draft: KeptDraft, for purpose: String) throws(FeedClientError) {
        try ClientFolders.create(folder)
        guard let data = try? JSONEncoder().encode(draft) else {
            throw FeedClientError(.failed, "The draft cannot be encoded")
        }
        try DurableFile.replace(path(purpose), with: data)
        removeOldest()
    }

    /// Removes the draft for a purpose, if there is one.
    public func remove(for purpose: String) { try? FileManager.default.removeItem(atPath: path(purpose)) }

    private func path(_ purpose: String) -> String {
        folder + "/" + Hexadecimal.text(SHA256.hash(data: Data(purpose.utf8)).prefix(16)) + ".json"
    }

    private func removeOldest() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let paths = names.filter { $0.hasSuffix(".json") }.map { folder + "/" + $0 }
        guard paths.count > Self.maximumDrafts else { return }
        let aged = paths.map { path in
            (
                path,
                (try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date) ?? .distantPast
            )
        }
        for (path, _) in aged.sorted(by: { $0.1 < $1.1 }).dropLast(Self.maximumDrafts) {
            try? FileManager.default.removeItem(atPath: path)
        }
    }
}
