import FeedFolders
import Foundation

/// The last listing of each terminal, in files that only their owner can read.
package struct ShownStatusesStore: Sendable {
    /// The number of terminals whose listings are kept; those that have listed nothing for the longest time give way.
    static let maximumTerminals = 32
    /// Longer files are not read, in bytes.
    private static let maximumSize: Int64 = 8 << 20
    private static let maximumName = 100
    private static let folderName = "listings"

    private let folder: String

    /// - Parameter folder: The state folder.
    package init(folder: String) { self.folder = folder }

    /// The last listing of a terminal for an account.
    /// - Returns: `nil` if the last one was for another account, or if there is none.
    package func listing(on terminal: String, server: String, username: String?) -> ShownStatuses? {
        guard let name = Self.fileName(terminal), let listing = open().flatMap({ Self.read(name, in: $0) }),
            listing.server == server, listing.username == username
        else { return nil }
        return listing
    }

    /// Replaces the listing of a terminal.
    /// - Throws: ``FeedClientError`` `.disk`.
    package func save(_ listing: ShownStatuses, on terminal: String) throws(FeedClientError) {
        guard let name = Self.fileName(terminal), let data = try? JSONEncoder().encode(listing) else { return }
        let listings = try ClientFolders.create([Self.folderName], in: folder)
        try AtomicFile.replace(name, in: listings, with: data)
        Self.removeOldest(in: listings)
    }

    /// Removes the listings of an account.
    package func removeAll(server: String, username: String?) {
        guard let listings = open() else { return }
        for name in Self.names(in: listings) {
            guard let listing = Self.read(name, in: listings) else { continue }
            if listing.server == server, listing.username == username { _ = try? listings.removeFile(name) }
        }
    }

    /// - Returns: `nil` for a terminal whose name cannot be that of a file.
    private static func fileName(_ terminal: String) -> String? {
        let isName = !terminal.isEmpty && terminal.utf8.allSatisfy { isNameByte($0) }
        return isName && terminal.utf8.count <= maximumName ? terminal + ".json" : nil
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    /// - Returns: `nil` if it cannot be opened, or does not exist.
    private func open() -> Folder? { try? ClientFolders.open([Self.folderName], in: folder) }

    private static func names(in listings: Folder) -> [String] {
        ((try? listings.names()) ?? []).filter { $0.hasSuffix(".json") && listings.type($0) == S_IFREG }
    }

    private static func read(_ name: String, in listings: Folder) -> ShownStatuses? {
        guard let size = listings.size(ofFile: name), size <= maximumSize, let file = try? listings.openFile(name)
        else { return nil }
        defer { close(file) }
        let data = try? SystemCalls.system.contents(of: file, listings.path(name), limit: Int(size))
        return data.flatMap { try? JSONDecoder().decode(ShownStatuses.self, from: $0) }
    }

    private static func removeOldest(in listings: Folder) {
        let names = names(in: listings)
        guard names.count > maximumTerminals else { return }
        let aged = names.map { name -> (name: String, time: (Int64, Int64)) in
            let version = listings.status(name).map { FileVersion($0) }
            return (name, (version?.seconds ?? 0, version?.nanoseconds ?? 0))
        }
        for (name, _) in aged.sorted(by: { $0.time < $1.time }).dropLast(maximumTerminals) {
            _ = try? listings.removeFile(name)
        }
    }
}

/// The statuses that a terminal has listed last. Their positions, from 1, are the numbers that refer to them.
package struct ShownStatuses: Codable, Sendable, Equatable {
    package struct Item: Codable, Sendable, Equatable {
        package let id: String
        /// The author and the first words, for completions.
        package let words: String

        package init(id: String, words: String) { (self.id, self.words) = (id, words) }
    }

    /// The server, and the account that it was listed for; `nil` without a login.
    package let server: String
    package let username: String?
    package let items: [Item]

    package init(server: String, username: String?, items: [Item]) {
        (self.server, self.username, self.items) = (server, username, items)
    }
}
