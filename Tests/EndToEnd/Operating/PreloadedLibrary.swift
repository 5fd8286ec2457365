import FeedTestSupport
import Foundation
import TestKit
import Testing

/// Libraries in C that tests load into the server (`LD_PRELOAD`).
enum PreloadedLibrary {
    /// Compiles a library.
    /// - Parameter source: Its path in this folder.
    /// - Returns: The path of the library.
    static func compile(_ source: String, into folder: TemporaryFolder) async throws -> String {
        let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(source)
        let library = folder.path + "/" + source.deletingPathExtension().lastPathComponent + ".so"
        let done = try await Tool.run("clang", ["-O2", "-shared", "-fPIC", "-o", library, source.path, "-ldl"])
        try #require(done.code == 0, "\(done.error)")
        return library
    }
}
