import FeedTestSupport
import Foundation
import TestKit

/// A folder of another program, which must stay as it is, whatever leads to it.
final class ForeignFolder: Sendable {
    private let folder: TemporaryFolder
    private let original: [String: String]

    /// - Parameter prepare: Creates the files in the folder whose path it gets.
    init(_ prepare: (_ path: String) throws -> Void) throws {
        folder = try TemporaryFolder()
        try prepare(folder.path)
        original = Self.contents(of: folder.path)
    }

    /// - Parameter names: The relative paths of the files, each of which contains its name.
    convenience init(_ names: [String]) throws {
        try self.init { path in for name in names { try Self.write(name, below: path) } }
    }

    var path: String { folder.path }

    /// The path of a file.
    func path(_ name: String) -> String { path + "/" + name }

    /// Whatever was added, removed or changed, also in its permissions.
    var changes: [String] {
        let present = Self.contents(of: path)
        return Set(original.keys).union(present.keys).filter { original[$0] != present[$0] }.sorted()
    }

    /// Creates a file that contains its name, and the folders that contain it.
    static func write(_ name: String, below path: String) throws {
        let file = URL(fileURLWithPath: path + "/" + name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(name.utf8).write(to: file)
    }

    /// The mode and the content of everything in a folder, and of the folder itself.
    private static func contents(of path: String) -> [String: String] {
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? []
        return (names + ["."]).reduce(into: [:]) { contents, name in
            var status = stat()
            guard lstat(path + "/" + name, &status) == 0 else { return }
            let isFile = status.st_mode & S_IFMT == S_IFREG
            let bytes = isFile ? FileManager.default.contents(atPath: path + "/" + name) : nil
            contents[name] = "\(String(status.st_mode, radix: 8)) \(bytes?.base64EncodedString() ?? "")"
        }
    }
}
