// The command line of Tandem: reads the options with CLI11 and turns what happens into an exit status.

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include "host_api/cli/distinct.hpp"
#include "host_api/cli/errors.hpp"
#include "host_api/cli/generate.hpp"
#include "host_api/cli/info.hpp"
#include "host_api/cli/job.hpp"
#include "host_api/cli/selftest.hpp"

namespace tandem::cli {
namespace {

constexpr int SUCCESS = 0, FAILURE = 1, BAD_OPTIONS = 2;

void add_options(CLI::App& command, const std::vector<OptionInfo>& options, Arguments& arguments, const std::string& group) {
    for (const OptionInfo& info : options) {
        Arguments::Text& text = arguments.*info.text;
        // The plain string reader of CLI11 would take an empty value for none.
        const auto take = [&text, &info](const CLI::results_t& values) {
            if (values.size() != 1) throw OptionError(std::string(info.name) + " is given more than once");
            text = values[0];
            return true;
        };
        command.add_option(info.name, take, info.about)->type_name(info.value)->expected(1)->take_all()->group(group);
    }
}

std::string list_of_draws() {
    std::string list = "Draws:\n";
    for (const DrawInfo& info : draw_table()) {
        std::string name = info.name;
        name.resize(std::max<std::size_t>(name.size(), 18), ' ');
        list += "  " + name + info.about + "\n";
    }
    list +=
        "\nText: integers in decimal (char as its code point), floats as the shortest decimal that reads back the same, complex\n"
        "numbers as two floats with a space between. In .npy files u128 and i128 are records of two fields, lo and hi.\n\n"
        "Exit status: 0 done; 1 the machine failed; 2 bad options, nothing written and no file made.";
    return list;
}

constexpr const char* ABOUT_DISTINCT =
    "Each FILE is a sequence of keys; - is standard input. --seed is the seed of the hashes with files, and that of the\n"
    "generator with --draws. Prints a line each: keys offered, estimate, bounds at 1, 2 and 3 standard deviations (68, 95 and\n"
    "99.7 percent), hashes retained, theta (of 2^63 - 1).\n\n"
    "Exit status: 0 done; 1 the machine failed; 2 bad options, nothing written and no file made.";

void add_distinct(CLI::App& command, Arguments& arguments) {
    add_options(command, distinct_options(), arguments, "What and how");
    command.add_option("--merge", arguments.merge, "also the keys of a sketch: a compact image; may be given several times")
        ->type_name("IMAGE")
        ->expected(1)
        ->take_all()
        ->group("What and how");
    command.add_option("FILE", arguments.files, "files to count")->type_name("FILE");
    add_options(command, source_options(), arguments, "Stream, for --draws");
    command.footer(ABOUT_DISTINCT);
}

std::string one_line(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
    return text;
}

// CLI11 reports a missing command even where an unknown one was typed.
std::string explain(const CLI::App& app, const CLI::ParseError& error) {
    const std::vector<std::string> strangers = app.remaining(true);
    if (strangers.empty()) return error.what();
    if (app.get_subcommands().empty() && strangers[0][0] != '-') {
        return "'" + strangers[0] + "' is no command (allowed: generate, stream, distinct, info, selftest)";
    }
    return "'" + strangers[0] + "' is not expected";
}

int report(const std::string& message, int status) {
    std::fprintf(stderr, "tandem: %s\n", one_line(message).c_str());
    return status;
}

// Ends a command that printed: what could not be written is a failure, told unless the reader has closed the pipe.
int finish(int status) {
    if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return status;
    if (errno != EPIPE)
        report(std::string("standard output cannot be written: ") + std::generic_category().message(errno), FAILURE);
    return FAILURE;
}

int run(int argc, char** argv) {
    CLI::App app(
        "Random numbers of the Tandem8x32 stream: the same bits on every backend, from any position, in any number of pieces.",
        "tandem");
    app.set_version_flag("--version", version_text(), "Print the version and exit");
    app.require_subcommand(1);
    Arguments arguments;

    CLI::App* const generate = app.add_subcommand("generate", "Write elements of a draw to standard output or a file");
    add_options(*generate, output_options(), arguments, "What and where");
    add_options(*generate, source_options(), arguments, "Stream");
    add_options(*generate, parameter_options(), arguments, "Parameters of single draws");
    add_options(*generate, place_options(), arguments, "Backend");
    generate->footer(list_of_draws());

    CLI::App* const stream = app.add_subcommand("stream", "Write 32-bit words, little-endian, until standard output is closed");
    add_options(*stream, source_options(), arguments, "Stream");
    add_options(*stream, place_options(), arguments, "Backend");

    CLI::App* const distinct = app.add_subcommand("distinct", "Count the distinct keys of files, of draws or of sketches");
    add_distinct(*distinct, arguments);

    CLI::App* const info = app.add_subcommand("info", "Show versions, the host's engine and the GPUs");
    CLI::App* const selftest = app.add_subcommand("selftest", "Check built-in vectors on every backend present");

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == SUCCESS) return finish(app.exit(error));
        return report(explain(app, error) + " (see --help)", BAD_OPTIONS);
    }
    if (generate->parsed()) run_generate(make_job(arguments));
    if (stream->parsed()) run_stream(make_source(arguments), make_place(arguments));
    if (distinct->parsed()) run_distinct(make_distinct_job(arguments));
    if (info->parsed()) print_info();
    if (selftest->parsed() && !run_selftest()) return finish(FAILURE);
    return finish(SUCCESS);
}

// Files opened later must not take the place of a standard descriptor that the caller closed.
void occupy_standard_descriptors() {
    int descriptor = 0;
    while (descriptor >= 0 && descriptor <= STDERR_FILENO) descriptor = ::open("/dev/null", O_RDONLY);
    if (descriptor > STDERR_FILENO) ::close(descriptor);
}

}  // namespace
}  // namespace tandem::cli

int main(int argc, char** argv) {
    using namespace tandem::cli;
    occupy_standard_descriptors();
    std::signal(SIGPIPE, SIG_IGN);
    try {
        return run(argc, argv);
    } catch (const OptionError& error) {
        return report(error.what(), BAD_OPTIONS);
    } catch (const ClosedOutput&) {
        return FAILURE;
    } catch (const std::bad_alloc&) {
        return report("out of memory", FAILURE);
    } catch (const std::exception& error) {
        return report(error.what(), FAILURE);
    }
}
