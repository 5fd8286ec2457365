import FeedTestSupport
import Foundation
import TestKit

/// Runs `feedclient` and measures its memory, with Python, because the kernel counts the memory of the starting process
/// as well if that shares its memory with the child until the program begins.
enum MeasuredClient {
    static var isInstalled: Bool { Tool.isInstalled("python3") }

    /// Ends a client that never ends, and keeps one that stores everything from filling the disk.
    private static let program = """
        import resource, signal, subprocess, sys
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (64 << 20, 64 << 20))
        done = subprocess.run(sys.argv[2:], timeout=300, restore_signals=False)
        with open(sys.argv[1], "w") as file:
            file.write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))
        sys.exit(done.returncode if done.returncode >= 0 else 128 - done.returncode)
        """

    /// - Returns: What the client has printed, and the maximum size of its memory in bytes, including the program itself.
    static func run(_ home: ClientHome, _ arguments: [String]) async throws -> (done: Finished, memory: Int) {
        let result = try home.folder.file("memory-" + UUID().uuidString, "")
        let done = try await Tool.run(
            "python3", ["-c", program, result, Programs.feedclient] + arguments, environment: home.environment,
            folder: home.folder.path)
        guard let kibibytes = Int(try String(contentsOfFile: result, encoding: .utf8)) else {
            throw StartFailure(log: done.error)
        }
        return (done, kibibytes * 1024)
    }
}
