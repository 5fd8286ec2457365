import CSandbox
import Foundation

/// Starts processes from a program with many threads.
package enum MediaSpawn {
    /// A process could not be started.
    package struct Failure: Error {
        /// The error number of the kernel.
        package let code: Int32
    }

    /// The niceness of the processes: 0 is usual, 19 the lowest priority.
    package static let niceness: Int32 = 10
    /// The variables that the process inherits. Its libraries are found, or hidden, as for this process.
    private static let inherited = ["FEED_WITHOUT", "LD_LIBRARY_PATH"]
    /// One heap, because each further one reserves 64 MiB of the limited address space. And a report of a crash would
    /// need another process.
    private static let added = ["MALLOC_ARENA_MAX=1", "SWIFT_BACKTRACE=enable=no"]

    /// Starts a process, in a process group of its own so that Ctrl-C in a terminal reaches only this program.
    ///
    /// The kernel kills the process when the calling thread ends.
    /// - Parameters:
    ///   - arguments: The path of the program and its arguments.
    ///   - descriptors: The descriptors of the process, in the order of their numbers. It gets no others.
    /// - Returns: The id of the process.
    package static func start(_ arguments: [String], _ descriptors: [Int32]) throws(Failure) -> Int32 {
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
        defer { (words + variables).forEach { free($0) } }
        var processID: pid_t = 0
        let code = csandbox_start(&processID, &words, &variables, descriptors, Int32(descriptors.count), niceness)
        guard code == 0 else { throw Failure(code: code) }
        return processID
    }

    private static var environment: [String] {
        let variables = ProcessInfo.processInfo.environment
        return added + inherited.compactMap { name in variables[name].map { name + "=" + $0 } }
    }
}
