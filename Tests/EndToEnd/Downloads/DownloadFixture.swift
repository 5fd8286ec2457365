import FeedTestSupport
import Foundation
import TestKit
import Testing

/// A client that downloads `out.bin` into a folder, which already contains another file.
struct DownloadFixture: Sendable {
    /// The time in seconds after which a client is killed, which no row expects.
    private static let timeout = 4 * Wait.seconds

    let home: ClientHome
    let folder: String

    var output: String { folder + "/out.bin" }
    var part: String { output + ".part" }
    var journal: String { part + ".journal" }

    init() throws {
        home = try ClientHome()
        folder = home.folder.path + "/work"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data("keep".utf8).write(to: URL(fileURLWithPath: folder + "/keep.txt"))
    }

    /// Runs `feedclient download URL -o out.bin`.
    /// - Parameters:
    ///   - largestFile: The maximum size of a file in KiB, which simulates a full disk.
    ///   - patience: The limits of time of the client are not shorter than this number of seconds (`FEED_TIMEOUT`).
    func download(
        _ url: String, _ options: [String] = [], output: String? = "out.bin", largestFile: Int? = nil,
        patience: Int = Wait.seconds
    ) async throws -> Finished {
        let place = output.map { ["-o", folder + "/" + $0] } ?? []
        let limit = largestFile.map { "trap '' XFSZ; ulimit -f \($0); " } ?? ""
        return try await Tool.run(
            "bash",
            [
                "-c", limit + "exec timeout -s KILL \(Self.timeout) \"$0\" \"$@\"", Programs.feedclient, "download",
                url,
                "--progress", "json",
            ] + place + options,
            environment: home.environment.merging(["FEED_TIMEOUT": "\(patience)"]) { $1 }, folder: folder)
    }

    /// The names in the folder, except that of the other file.
    func names() throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: folder)).subtracting(["keep.txt"])
    }

    /// Checks what must hold for every server: no wrong file at the destination, no unexplained leftovers, and no
    /// change to the other file.
    /// - Parameter versions: The versions of the file that are right.
    func check(_ done: Finished, _ expected: Expected, versions: [OfferedFile]) throws {
        let names = try names()
        #expect(expected.codes.contains(done.code), "exit code \(done.code): \(done.error.suffix(600))")
        if done.code == 0 {
            let hash = Checksum.sha256(FileManager.default.contents(atPath: output) ?? Data())
            #expect(versions.map { Checksum.sha256($0.bytes) }.contains(hash), "WRONG FILE\n\(done.error.suffix(600))")
            #expect(names == ["out.bin"])
            #expect(done.verified != nil, "\(done.error)")
        } else {
            #expect(!names.contains("out.bin"), "a rejected file is at the destination")
            #expect(names.isSubset(of: ["out.bin.part", "out.bin.part.journal"]), "left over: \(names)")
            #expect(done.error.contains("error: ") && done.error.contains("hint: "), "\(done.error)")
        }
        #expect(FileManager.default.contents(atPath: folder + "/keep.txt") == Data("keep".utf8))
        checkWords(done)
    }

    /// Standard output contains only the path. Standard error contains no terminal control characters, and the progress
    /// never exceeds the total.
    private func checkWords(_ done: Finished) {
        #expect(done.text == (done.code == 0 ? output + "\n" : ""))
        #expect(!done.error.unicodeScalars.contains { [0x07, 0x1B, 0x202E].contains($0.value) }, "\(done.error)")
        for line in done.error.split(separator: "\n") where line.hasPrefix("{") {
            let event = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            if event?["notice"] is String { continue }
            let count = event?["done"] as? Int
            #expect(count ?? -1 >= 0, "\(line)")
            #expect(count ?? 0 <= event?["total"] as? Int ?? .max, "\(line)")
        }
    }
}

extension Finished {
    /// The last object of `--progress json`, if it reports the end of the download.
    private var end: [String: Any]? {
        let line = error.split(separator: "\n").last { $0.hasPrefix("{") } ?? ""
        let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        return object?["finished"] as? Bool == true ? object : nil
    }

    /// The source of the checksum against which the file was verified.
    var verified: String? { end?["verified"] as? String }

    /// Whether the download resumed an earlier one.
    var wasResumed: Bool { end?["base"] as? Int ?? 0 > 0 }
}

/// The expected exit codes of a download; 0 always means the right file.
struct Expected: Sendable {
    let codes: Set<Int32>

    static let right = Expected(codes: [0])

    /// A clean failure with one of these exit codes.
    static func refused(_ codes: Int32...) -> Expected { Expected(codes: Set(codes)) }

    /// Either recovers or fails cleanly.
    static func rightOrRefused(_ codes: Int32...) -> Expected { Expected(codes: Set(codes).union([0])) }
}
