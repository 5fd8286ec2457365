package import Foundation
import TestKit

/// The programs under test: those in the folder `FEED_PROGRAMS`, or those built beside the tests.
package enum Programs {
    package static let feedserver = path("feedserver")
    package static let feedclient = path("feedclient")
    /// The example, which is never installed.
    package static let tour = built("tour")

    private static func path(_ name: String) -> String {
        ProcessInfo.processInfo.environment["FEED_PROGRAMS"].map { $0 + "/" + name } ?? built(name)
    }

    private static func built(_ name: String) -> String {
        let tests =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
        return URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent(name).path
    }
}

/// The result of a program.
package struct Finished: Sendable {
    package let code: Int32
    package let output: Data
    package let error: String

    package init(code: Int32, output: Data, error: String) {
        (self.code, self.output, self.error) = (code, output, error)
    }

    package var text: String { String(decoding: output, as: UTF8.self) }
}

package enum Tool {
    /// Runs a program until it exits.
    /// - Parameters:
    ///   - input: The standard input; empty by default.
    ///   - environment: Variables to add to the environment of this process.
    package static func run(
        _ program: String, _ arguments: [String], input: Data = Data(), environment: [String: String] = [:],
        folder: String? = nil
    ) async throws -> Finished {
        let place = try TemporaryFolder()
        let process = ChildProcess()
        process.executableURL = URL(fileURLWithPath: try find(program))
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment
            .merging(try PostgresTests.environment(for: arguments)) { _, new in new }
            .merging(environment) { _, new in new }
        if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
        let names = try ["in", "out", "err"].map { try place.file($0, "") }
        try input.write(to: URL(fileURLWithPath: names[0]))
        process.standardInput = FileHandle(forReadingAtPath: names[0])
        process.standardOutput = FileHandle(forWritingAtPath: names[1])
        process.standardError = FileHandle(forWritingAtPath: names[2])
        let code = try await end(of: process)
        return Finished(
            code: code, output: FileManager.default.contents(atPath: names[1]) ?? Data(),
            error: String(decoding: FileManager.default.contents(atPath: names[2]) ?? Data(), as: UTF8.self))
    }

    private static func end(of process: ChildProcess) async throws -> Int32 {
        try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { ended in
                let code = ended.terminationReason == .exit ? ended.terminationStatus : 128 + ended.terminationStatus
                continuation.resume(returning: code)
            }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
    }

    /// The path of a program.
    package static func find(_ program: String) throws -> String {
        if program.hasPrefix("/") { return program }
        for folder in (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":") {
            let path = folder + "/" + program
            if FileManager.default.isExecutableFile(atPath: String(path)) { return String(path) }
        }
        throw MissingTool(program: program)
    }

    /// Whether a missing third-party program is a failure (`FEED_REQUIRE_CLIENTS=1`).
    package static var isRequired: Bool { ProcessInfo.processInfo.environment["FEED_REQUIRE_CLIENTS"] == "1" }

    /// Whether a third-party program is installed. If it is required, a missing one is not skipped.
    package static func isInstalled(_ program: String) -> Bool { isRequired || (try? find(program)) != nil }
}

package struct MissingTool: Error, CustomStringConvertible {
    let program: String

    package var description: String { "\(program) is not installed" }
}
