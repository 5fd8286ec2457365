import ArgumentParser
import FeedClientKit
import FeedTerminal
import Foundation

/// Turns the errors of a command into messages and exit codes.
enum ErrorReporter {
    /// Runs a command, prints its error, and ends the program with the exit code of the error.
    static func run(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error as FeedClientError {
            StandardError.report(error.message, hint: error.hint)
            throw ExitCode(ExitCode.code(for: error))
        } catch is CancellationError {
            throw ExitCode(130)
        } catch let error where error is ExitCode || error is ValidationError || error is CleanExit {
            throw error
        } catch {
            StandardError.report("\(error)", hint: nil)
            throw ExitCode(1)
        }
    }
}

/// The exit codes that `feedclient --help` lists.
extension ExitCode {
    static func code(for error: FeedClientError) -> Int32 {
        switch error.code {
        // Nobody has tried to reach the server.
        case _ where error.cause is MissingResponse: 3
        case .usage: 2
        case .notFound: 3
        case .unauthorized: 4
        case .network, .unreachable: 5
        case .integrity: 7
        case .disk: 8
        case .tryLater: 75
        default: 1
        }
    }
}

/// Performs the same operation on each item of a command, even after some have failed.
enum EachItem {
    /// - Throws: The error of a single item. If there are several, their errors are reported at once, and the exit code
    ///   is 6 if some succeeded, otherwise the code of the first error.
    static func run(_ items: [String], _ body: (String) async throws -> Void) async throws {
        var errors: [FeedClientError] = []
        for item in items {
            do {
                try await body(item)
            } catch let error as FeedClientError {
                if items.count > 1 { StandardError.report("\(item): \(error.message)", hint: error.hint) }
                errors.append(error)
            }
        }
        guard let first = errors.first else { return }
        if items.count == 1 { throw first }
        throw ExitCode(errors.count < items.count ? 6 : ExitCode.code(for: first))
    }
}

/// JSON of entities that are printed as they were decoded.
enum EntityJSON {
    /// Prints values, one per line.
    static func print(_ values: [some Encodable]) throws {
        for value in values { Swift.print(try line(value)) }
    }

    /// A value on one line.
    static func line(_ value: some Encodable) throws -> String { JSONText.line(try bytes(value)) }

    static func bytes(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(value))
    }
}
