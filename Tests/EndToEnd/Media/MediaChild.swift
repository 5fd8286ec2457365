import FeedCore
import FeedFiles
import FeedTestSupport
import Foundation
import TestKit

/// The process that handles one upload, as the server starts it.
struct MediaChild: Sendable {
    let code: Int32
    /// `nil` if the process has written no valid report.
    let report: MediaReport?
    let content: Data
    let thumbnail: Data
    let errors: String

    /// The preparations of `sh` before it becomes the process.
    static let script = "exec \"$0\" \"$@\" 3>content 4>thumbnail"

    static func run(
        _ upload: Data, limits: MediaLimits = MediaLimits(), environment: [String: String] = [:]
    ) async throws -> MediaChild {
        let folder = try TemporaryFolder()
        let finished = try await Tool.run(
            "/bin/sh", ["-c", script, Programs.feedserver] + MediaArguments(limits).words, input: upload,
            environment: environment.merging(["MALLOC_ARENA_MAX": "1"]) { given, _ in given }, folder: folder.path)
        func file(_ name: String) -> Data { FileManager.default.contents(atPath: folder.path + "/" + name) ?? Data() }
        return MediaChild(
            code: finished.code, report: MediaReport(parsing: Array(finished.output)), content: file("content"),
            thumbnail: file("thumbnail"), errors: finished.error)
    }

    /// - Throws: ``FeedError`` if the file has been refused.
    var processed: (format: MediaFormat, meta: MediaMeta, isAnimated: Bool, blurhash: String?) {
        get throws {
            guard code == 0, let report else { throw StrangeEnd(code: code, errors: errors) }
            return try report.result.processed
        }
    }

    private struct StrangeEnd: Error {
        let code: Int32
        let errors: String
    }
}

/// The libraries that the server loads.
enum ImageLibrary {
    /// Whether the libraries are installed. If they are required, missing ones are not skipped.
    static let areInstalled =
        Tool.isRequired || ["libturbojpeg.so.0", "libpng16.so.16", "libwebp.so.7"].allSatisfy(has)

    private static func has(_ name: String) -> Bool {
        guard let handle = dlopen(name, RTLD_LAZY) else { return false }
        dlclose(handle)
        return true
    }
}

enum ImageSize {
    /// The width and height in the header of a PNG or a JPEG.
    static func of(_ data: Data) -> (width: Int, height: Int)? {
        let bytes = Array(data)
        if bytes.starts(with: [0x89, 0x50]) {
            guard bytes.count > 24 else { return nil }
            return (number(bytes, 18), number(bytes, 22))
        }
        var start = 2
        while start + 9 < bytes.count, bytes[start] == 0xFF {
            if (0xC0...0xC2).contains(bytes[start + 1]) {
                return (number(bytes, start + 7), number(bytes, start + 5))
            }
            start += 2 + number(bytes, start + 2)
        }
        return nil
    }

    private static func number(_ bytes: [UInt8], _ start: Int) -> Int { Int(bytes[start]) << 8 | Int(bytes[start + 1]) }
}
