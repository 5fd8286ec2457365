import CSandbox
import Foundation

/// Starts processes from a program with many threads.
enum MediaSpawn {
    /// The variables that the process inherits. Its libraries are found, or hidden, as for this process.
    private static let inherited = ["FEED_WITHOUT", "LD_LIBRARY_PATH"]
    /// One heap, because each further one reserves 64 MiB of the limited address space. And a report of a crash would
    /// need another process.
    private static let added = ["MALLOC_ARENA_MAX=1", "SWIFT_BACKTRACE=enable=no"]

    /// Starts a process in a process group of its own, so that Ctrl-C in a terminal reaches only the server.
    /// - Parameters:
    ///   - arguments: The path of the program and its arguments.
    ///   - descriptors: The descriptors of the process, by number. It gets no others.
    static func start(_ arguments: [String], _ descriptors: [Int32: Int32]) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // Copies with higher numbers, because one of the originals may have the number that another one gets.
        let end = (descriptors.keys.max() ?? 2) + 1
        var copies: [Int32] = []
        defer { copies.forEach { close($0) } }
        for (number, descriptor) in descriptors {
            let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, end)
            guard copy >= 0 else { throw SystemCallError(call: "fcntl", code: errno) }
            copies.append(copy)
            posix_spawn_file_actions_adddup2(&actions, copy, number)
        }
        let code = csandbox_close_from(&actions, end)
        guard code == 0 else { throw SystemCallError(call: "posix_spawn", code: code) }
        return try start(arguments, &actions)
    }

    private static func start(_ arguments: [String], _ actions: inout posix_spawn_file_actions_t) throws -> pid_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
        defer { (words + variables).forEach { free($0) } }
        var processID: pid_t = 0
        let code = posix_spawn(&processID, arguments[0], &actions, &attributes, &words, &variables)
        guard code == 0 else { throw SystemCallError(call: "posix_spawn", code: code) }
        return processID
    }

    private static var environment: [String] {
        let variables = ProcessInfo.processInfo.environment
        return added + inherited.compactMap { name in variables[name].map { name + "=" + $0 } }
    }
}
