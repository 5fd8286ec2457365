package import FeedFolders
import Foundation

/// Reads the operator's files for `/.well-known/NAME` from a folder. What cannot be used is skipped. Requests never open a
/// file: their names are looked up among those that were read.
package struct WellKnownFolder: Sendable {
    package static let maximumCount = 100
    package static let maximumBytes = 128 << 10

    package struct File: Sendable, Equatable {
        package let content: [UInt8]
        package let type: String
    }

    /// A file that was skipped, and why.
    package struct Skipped: Sendable, Equatable {
        package let name: String
        package let reason: String
    }

    /// The files by their names in UTF-8, because texts are equal that differ in their bytes.
    package private(set) var files: [[UInt8]: File] = [:]
    package private(set) var skipped: [Skipped] = []

    package init() {}

    /// Blocks while it reads. Links in the folder are not followed, and files with a leading dot are hidden.
    package init(_ path: String) throws(FolderError) {
        let folder = try Folder(path)
        for name in try folder.names().sorted() where name.utf8.first != UInt8(ascii: ".") {
            do {
                try read(name, in: folder)
            } catch {
                skipped.append(Skipped(name: name, reason: "\(error)"))
            }
        }
    }

    private mutating func read(_ name: String, in folder: Folder) throws {
        guard files.count < Self.maximumCount else { throw Refusal("there are more than \(Self.maximumCount) files") }
        let handle = FileHandle(fileDescriptor: try folder.openFile(name), closeOnDealloc: true)
        let content = [UInt8](try handle.read(upToCount: Self.maximumBytes + 1) ?? Data())
        guard content.count <= Self.maximumBytes else {
            throw Refusal("the file is larger than \(Self.maximumBytes / 1024) KiB")
        }
        files[Array(name.utf8)] = File(content: content, type: Self.type(name, content))
    }

    private struct Refusal: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }

    private static let types = [
        "json": "application/json", "txt": "text/plain; charset=utf-8", "xml": "application/xml",
    ]

    /// The media type of a file. Without an extension it is JSON if it looks like it, as `apple-app-site-association` does.
    private static func type(_ name: String, _ content: [UInt8]) -> String {
        let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map(Substring.init)
        if parts.count > 1, let last = parts.last { return types[last.lowercased()] ?? "application/octet-stream" }
        let first = content.first { !" \t\r\n".utf8.contains($0) }
        let isJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        return isJSON ? "application/json" : "text/plain; charset=utf-8"
    }
}
