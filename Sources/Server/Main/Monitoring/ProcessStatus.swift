import Foundation

/// Facts about this process from `/proc`.
enum ProcessStatus {
    /// Memory that is not backed by files, in bytes; `nil` if unknown.
    static var anonymousMemory: Int64? {
        let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = text?.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
        let words = line?.split { $0 == " " || $0 == "\t" } ?? []
        return words.dropFirst().first.flatMap { Int64($0) }.map { $0 << 10 }
    }

    /// The number of open file descriptors; `nil` if unknown.
    static var openFiles: Int64? {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")).map { Int64($0.count) }
    }
}
