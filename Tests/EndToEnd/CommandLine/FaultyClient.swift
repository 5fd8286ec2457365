import FeedTestSupport
import Foundation
import TestKit
import Testing

/// `feedclient` whose file operations fail, or that is killed at one of them; see `faults.c`.
struct FaultyClient: Sendable {
    enum Fault: String, Sendable, CaseIterable, CustomTestStringConvertible {
        /// An operation fails with `EIO`.
        case failsOnce = "5 once"
        /// An operation and all later ones fail with `ENOSPC`.
        case failsForGood = "28 all"
        /// `kill -9` before the operation.
        case kills = "0 once"

        var testDescription: String { "\(self)" }
    }

    /// A run whose operation has a fault.
    struct Run: Sendable {
        let done: Finished
        let fault: Fault
        /// The number of the operation, from 1.
        let number: Int
        /// All operations that the program has performed or attempted, such as `write PATH`.
        let operations: [String]

        /// Whether the program has come to the operation.
        var isHit: Bool { number > 0 && operations.count >= number }
        var isKilled: Bool { fault == .kills && isHit }
        /// For failure messages.
        var note: Comment {
            "\(fault) at \(number): \(isHit ? operations[number - 1] : "none"): \(done.code) \(done.text) \(done.error)"
        }
    }

    private static let variables = ["LD_PRELOAD", "FAULT_FOLDER", "FAULT_POINT", "FAULT_LOG"]

    private let folder: TemporaryFolder
    private let library: String

    init() async throws {
        folder = try TemporaryFolder()
        library = try await PreloadedLibrary.compile("Faults/faults.c", into: folder)
    }

    /// Runs `feedclient`.
    /// - Parameters:
    ///   - part: The folder within the home whose files are affected; empty for the whole home.
    ///   - number: The operation that has the fault, from 1; 0 for none.
    func run(
        _ home: ClientHome, _ arguments: [String], in part: String, at number: Int, _ fault: Fault
    ) async throws -> Run {
        let log = try folder.file(UUID().uuidString, "")
        let values = [library, home.folder.path + part, "\(number) \(fault.rawValue)", log]
        let variables = Dictionary(uniqueKeysWithValues: zip(Self.variables, values))
        let done = try await Tool.run(
            Programs.feedclient, arguments, environment: home.environment.merging(variables) { _, new in new },
            folder: home.folder.path)
        let text = String(decoding: FileManager.default.contents(atPath: log) ?? Data(), as: UTF8.self)
        return Run(
            done: done, fault: fault, number: number, operations: text.split(separator: "\n").map(String.init))
    }

    /// The operations of a program, without faults.
    func operations(_ home: ClientHome, _ arguments: [String], in part: String) async throws -> [String] {
        let run = try await run(home, arguments, in: part, at: 0, .failsOnce)
        try #require(run.done.code == 0 && !run.operations.isEmpty, run.note)
        return run.operations
    }

    /// The operations to try: the first of each kind and others in between. When soaking, all of them, and one that the
    /// program does not reach.
    static func numbers(of operations: [String], atMost count: Int) -> [Int] {
        if Soak.isEnabled { return Array(1...operations.count + 1) }
        var kinds: Set<String> = []
        var chosen = Set(operations.indices.filter { kinds.insert(kind(of: operations[$0])).inserted })
        let missing = max(1, count - chosen.count)
        chosen.formUnion(stride(from: 0, to: operations.count, by: max(1, operations.count / missing)))
        return chosen.map { $0 + 1 }.sorted()
    }

    /// The operation without the letters and digits of random names and hashes.
    private static func kind(of operation: String) -> String { operation.filter { !$0.isHexDigit } }
}

extension ClientHome {
    /// Another home with the same files.
    func copy() async throws -> ClientHome {
        let other = try ClientHome()
        let done = try await Tool.run("cp", ["-a", folder.path + "/.", other.folder.path])
        try #require(done.code == 0, "\(done.error)")
        return other
    }
}
