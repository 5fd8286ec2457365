import FeedCore
import Foundation

/// Recognizes what people try to import although it is no NDJSON. The message would otherwise be about its first line.
enum ImportFormat {
    /// The number of bytes at the beginning of a file that are examined.
    static let headBytes = 4096

    private static let hint = "import reads NDJSON, one JSON object per line: see Importing in Docs/operating.md."

    /// - Throws: ``FeedError`` `.unsupported` for a folder.
    static func refuseFolder(_ path: String) throws(FeedError) {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else { return }
        let isArchive = FileManager.default.fileExists(atPath: path + "/outbox.json")
        throw FeedError(.unsupported, "\(path) is a folder" + (isArchive ? " with a Mastodon archive" : ""), hint: hint)
    }

    /// - Parameter head: The first ``headBytes`` of the file.
    /// - Throws: ``FeedError`` `.unsupported` for a format that people keep posts in.
    static func refuseOthers(_ head: Data, path: String) throws(FeedError) {
        guard let name = name(head) else { return }
        throw FeedError(.unsupported, "\(path) looks like \(name)", hint: hint)
    }

    private static func name(_ head: Data) -> String? {
        func contains(_ text: String) -> Bool { head.range(of: Data(text.utf8)) != nil }
        if head.starts(with: [0x1F, 0x8B]) || head.starts(with: "PK\u{3}\u{4}".utf8) { return "an archive" }
        if head.starts(with: "<".utf8) || head.starts(with: "\u{FEFF}<".utf8) { return "Atom, RSS or HTML" }
        // The text of a status may contain anything.
        guard !contains("\"kind\"") else { return nil }
        if contains("jsonfeed.org/version/") { return "a JSON Feed" }
        return contains("www.w3.org/ns/activitystreams") ? "a part of a Mastodon archive" : nil
    }
}
