import FeedTestSupport
import Foundation
import TestKit
import Testing

/// Every option and argument of every command, with numbers at and beyond the limits of every type: the command
/// succeeds or rejects the number, but never crashes. The list comes from the programs themselves, so that it is
/// complete.
@Suite(.hangLimit)
struct NumberFlagTests {
    private static let short = [
        "9223372036854775807", "9223372036854775806", "-9223372036854775808", "9223372036854775808",
        "-9223372036854775809", "18446744073709551616", "1000000000000000000000000000000", "-1", "0", "1.5", "1e30",
        "9223372036854775807GiB",
    ]
    private static let numbers = Soak.isEnabled ? short + EdgeNumbers.texts : short

    /// A value of a command.
    private struct Slot {
        /// The command and its subcommands, without the program.
        var command: [String]
        /// The option with its dashes; `nil` for an argument.
        var option: String?
        /// The number of arguments without a dash that the command requires.
        var arguments: Int
        /// The only number to try, because all are tried on another command with this option.
        var number: String?

        func words(_ value: String) -> [String] {
            let rest = [String](repeating: option == nil ? value : "1", count: arguments)
            return command + (option.map { ["\($0)=\(value)"] } ?? []) + (rest.isEmpty ? [] : ["--"] + rest)
        }
    }

    private struct Help: Decodable {
        struct Command: Decodable {
            var commandName: String
            var subcommands: [Command]?
            var arguments: [Argument]?
        }
        struct Argument: Decodable {
            struct Name: Decodable { var name: String }
            var kind: String
            var preferredName: Name?
            var isRepeating: Bool
        }
        var command: Command
    }

    private static func slots(_ program: String) async throws -> [Slot] {
        let help = try await Tool.run(program, ["--experimental-dump-help"])
        return sharing(slots(of: try JSONDecoder().decode(Help.self, from: help.output).command, words: nil))
    }

    /// Options of nearly every command, such as `--data` and `--as`, are parsed by the same code: the first command gets all numbers, and
    /// the others one each, in turn.
    private static func sharing(_ slots: [Slot]) -> [Slot] {
        let counts = Dictionary(slots.map { ($0.option, 1) }, uniquingKeysWith: +)
        var turns: [String: Int] = [:]
        return slots.map { slot in
            guard !Soak.isEnabled, let option = slot.option, counts[option, default: 0] > 10 else { return slot }
            let turn = turns[option, default: 0]
            turns[option] = turn + 1
            var slot = slot
            if turn > 0 { slot.number = numbers[turn % numbers.count] }
            return slot
        }
    }

    private static func slots(of command: Help.Command, words: [String]?) -> [Slot] {
        let words = words.map { $0 + [command.commandName] } ?? []
        let arguments = command.arguments ?? []
        let count = arguments.count { $0.kind == "positional" }
        let options = arguments.filter { $0.kind == "option" }.compactMap { $0.preferredName?.name }
        var slots = options.map { Slot(command: words, option: "--" + $0, arguments: count) }
        if count > 0 { slots.append(Slot(command: words, option: nil, arguments: count)) }
        guard command.commandName != "help" else { return [] }
        return slots + (command.subcommands ?? []).flatMap { Self.slots(of: $0, words: words) }
    }

    /// Parts of the list that are tried at the same time.
    private static let parts = 0..<4

    private static func slots(_ slots: [Slot], _ part: Int) -> [Slot] {
        slots.enumerated().filter { $0.offset % parts.count == part }.map(\.element)
    }

    @Test(arguments: parts) func serverCommandsAcceptOrRejectEveryNumber(part: Int) async throws {
        let server = try await ServerProcess.start()
        try await server.addAccount("1")
        let slots = try await Self.slots(Programs.feedserver)
        #expect(slots.count > 25 && slots.contains { $0.option == "--grace" })
        for slot in Self.slots(slots, part) {
            // `serve` exits instead of listening, because the folder of the web reader does not exist.
            let data = slot.option == "--data" ? [] : ["--data", server.data]
            let extra = slot.command == ["serve"] && slot.option != "--public" ? ["--public", "/nowhere"] : []
            try await Self.tryNumbers(slot, usage: 64) { words in
                let done = try await Tool.run(
                    Programs.feedserver,
                    Array(words.prefix(slot.command.count)) + data + extra
                        + words.dropFirst(slot.command.count), folder: server.folder.path)
                #expect([0, 1, 64].contains(done.code), "\(words): \(done.code) \(done.error.suffix(300))")
                return done.code
            }
        }
    }

    @Test(arguments: parts) func clientCommandsAcceptOrRejectEveryNumber(part: Int) async throws {
        let server = try await ServerProcess.start()
        let home = try ClientHome()
        let slots = try await Self.slots(Programs.feedclient)
        #expect(slots.count > 25 && slots.contains { $0.option == "--chunk-size" })
        for slot in Self.slots(slots, part) where slot.option != "--server" {
            try await Self.tryNumbers(slot, usage: 2) { words in
                let done = try await Tool.run(
                    Programs.feedclient, words,
                    environment: home.environment.merging(["FEEDCLIENT_SERVER": server.address]) { _, new in new },
                    folder: home.folder.path)
                #expect(done.code < 128 || done.code == 130, "\(words): \(done.code) \(done.error.suffix(300))")
                return done.code
            }
        }
    }

    /// Runs a command with every number. To an option that takes any text, most of them are just text.
    /// - Parameter usage: The program's exit code for a value that it rejects before it does anything.
    private static func tryNumbers(_ slot: Slot, usage: Int32, run: ([String]) async throws -> Int32) async throws {
        if let number = slot.number {
            _ = try await run(slot.words(number))
            return
        }
        let takesText = try await run(slot.words("text")) != usage
        let isNumeric = ["--grace", "--chunk-size"].contains(slot.option)
        #expect(!takesText || !isNumeric, "not recognized as a number: \(slot)")
        for number in takesText && !Soak.isEnabled ? numbers.prefix(3) : numbers[...] {
            _ = try await run(slot.words(number))
        }
    }
}
