import ArgumentParser
import FeedCore

/// The options that select and show the configuration. Must be the first group of a command, because the others use the
/// file.
struct ConfigurationOption: ParsableArguments {
    @Option(
        name: .customLong("config"),
        help: .init(
            "A JSON file with settings; options and the environment take precedence. Read again on SIGHUP.",
            valueName: "file"))
    var path: String?
    @Flag(help: "Print the effective settings and where they come from, one JSON object per line, and exit.")
    var showConfig = false

    func validate() throws { try Failure.exiting { try ServerEnvironment.readFile(path) } }
}
