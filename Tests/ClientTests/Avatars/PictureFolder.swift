import Foundation

/// A temporary folder, deleted on deinitialization.
final class PictureFolder: Sendable {
    let path = NSTemporaryDirectory() + "/avatars-" + UUID().uuidString

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var index: String { path + "/avatars.sqlite" }

    /// All picture files.
    var files: [String] {
        let root = path + "/avatars"
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: root)) ?? []
        return names.filter { $0.contains("/") }.map { root + "/" + $0 }.sorted()
    }

    var bytes: Int64 { files.reduce(0) { $0 + Int64(FileManager.default.contents(atPath: $1)?.count ?? 0) } }

    /// Overwrites a file in place.
    func overwrite(_ file: String, _ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(fileURLWithPath: file)) }
}
