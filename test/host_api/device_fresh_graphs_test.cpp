/// Captured fills whose launches have fresh numbers: launch 0 those of the eager fill, later ones those of the contract's keys.

#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "host_api/api_calls.hpp"
#include "host_api/backend_under_test.hpp"
#include "host_api/cuda_memory.hpp"
#include "host_api/cuda_streams.hpp"
#include "host_api/launch_keys.hpp"
#include "support/reference.hpp"
#include "support/samples.hpp"
#include "tandem/core/choice.hpp"
#include "tandem/core/laws.hpp"
#include "tandem/tandem.hpp"

namespace tandem::test {
namespace {

constexpr std::size_t N = 1001;
constexpr std::size_t SIZES[] = {N, 70003};
constexpr uint64_t START = 4099;
constexpr Key KEY{{11, 12, 13, 14}};
constexpr int LAUNCHES = 5;

class FreshGraphs : public BackendTest {
  protected:
    void begin(cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal) const {
        EXPECT_EQ(cudaStreamBeginCapture(stream(), mode), cudaSuccess);
    }
    Graph end() const { return Graph(stream()); }

    Generator generator(const Key& key = KEY, uint64_t position = START) const {
        Generator g = Generator::device();
        g.set_stream(stream());
        g.set_key(key);
        g.set_position(position);
        return g;
    }

    const TestStream& stream() const {
        if (stream_ == nullptr) stream_ = std::make_unique<TestStream>();
        return *stream_;
    }

  private:
    mutable std::unique_ptr<TestStream> stream_;  // made by tests that run: SetUp may skip them
};

std::vector<uint8_t> words(const Key& key, uint64_t position = START, std::size_t n = N) {
    Fill fill;
    fill.key = key;
    fill.position = position;
    fill.n = n;
    return reference_fill(fill);
}

void poison(const DeviceBytes& out, std::size_t bytes) {
    EXPECT_EQ(cudaMemset(out.data(), DeviceBytes::POISON, bytes), cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

// Launches a graph of one fill, whose key is that of the capture, from its first launch on.
void expect_launches(const Graph& graph, cudaStream_t stream, const DeviceBytes& out, Fill fill, const std::string& name) {
    const Key key = fill.key;
    for (int launch = 0; launch < LAUNCHES; ++launch) {
        fill.key = key_of_launch(key, static_cast<uint64_t>(launch));
        const std::vector<uint8_t> expected = reference_fill(fill);
        poison(out, expected.size());
        graph.launch(stream);
        EXPECT_EQ(out.read(), expected) << name << ", n = " << fill.n << ", launch " << launch;
    }
}

TEST_F(FreshGraphs, UseThePublishedKeys) {
    std::ifstream file(TANDEM_TEST_DATA "/other.json");
    const nlohmann::json published = nlohmann::json::parse(file).at("graph_launches");
    const auto key_from = [](const nlohmann::json& parts) {
        Key key{};
        for (std::size_t i = 0; i < 4; ++i) {
            key.w[i] = static_cast<uint32_t>(std::stoul(parts.at(i).get<std::string>(), nullptr, 16));
        }
        return key;
    };
    const DeviceBytes out(N * 4);
    Generator g = generator(key_from(published.at(0).at("key")));
    begin();
    g.generate(out.as<unsigned>(), N);
    const Graph graph = end();
    uint64_t launched = 0;
    int checked = 0;
    for (const auto& c : published) {
        const auto launch = c.at("launch").get<uint64_t>();
        if (launch > 100) continue;
        for (; launched <= launch; ++launched) graph.launch(stream());
        EXPECT_EQ(out.read(), words(key_from(c.at("key_used")))) << launch;
        ++checked;
    }
    EXPECT_GT(checked, 3);
}

TEST_F(FreshGraphs, EveryDrawStartsAsTheEagerFillAndGoesOn) {
    for (const auto* samples : {&plain_samples(), &derived_samples()}) {
        for (const DrawSample& sample : *samples) {
            if (!in_c_api(sample.fill) || sample.fill.draw == Draw::choice) continue;
            for (const std::size_t n : SIZES) {
                Fill fill = sample.fill;
                fill.key = KEY;
                fill.position = START;
                fill.n = n;
                const DeviceBytes out(n * element_size(fill));
                fill.out = out.data();
                const Generator g = generator();
                begin();
                EXPECT_EQ(call_c_api(g.get(), fill), TANDEM_STATUS_SUCCESS) << sample.name << tandemGetLastErrorMessage();
                const Graph graph = end();
                EXPECT_EQ(g.position(), fill_span(fill.draw, START, n).end) << sample.name;
                expect_launches(graph, stream(), out, fill, sample.name);
            }
        }
    }
}

TEST_F(FreshGraphs, ChoicesAndLawsGoOnTooAlsoWithoutGeneratorAndDistribution) {
    for (const std::size_t m : {std::size_t{4}, std::size_t{3000}, std::size_t{5000}}) {
        std::vector<double> weights(m);
        for (std::size_t i = 0; i < m; ++i) weights[i] = static_cast<double>(i * 7919 % 1009);
        const ChoiceTable table = choice_build(weights.data(), m, 9);
        for (const std::size_t n : SIZES) {
            const DeviceBytes out(n * 4);
            std::unique_ptr<Graph> graph;
            {
                const Distribution distribution(weights, 9);
                Generator g = generator();
                begin();
                g.discrete(out.as<unsigned>(), n, distribution);
                graph = std::make_unique<Graph>(stream());
            }
            Fill fill;
            fill.draw = Draw::choice;
            fill.key = KEY;
            fill.position = START;
            fill.n = n;
            fill.choice = table.view();
            expect_launches(*graph, stream(), out, fill, "choice of " + std::to_string(m));
        }
    }
    const ChoiceTable table = poisson_table(10.0);
    const DeviceBytes out(N * 4);
    Generator g = generator();
    g.poisson(out.as<unsigned>(), N, 10.0);
    g.set_position(START);
    begin();
    g.poisson(out.as<unsigned>(), N, 10.0);
    const Graph graph = end();
    Fill fill;
    fill.draw = Draw::choice;
    fill.key = KEY;
    fill.position = START;
    fill.n = N;
    fill.choice = table.view();
    expect_launches(graph, stream(), out, fill, "poisson");
}

TEST_F(FreshGraphs, SeveralFillsAndTwoGeneratorsInOneGraph) {
    for (const cudaStreamCaptureMode mode :
         {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed}) {
        constexpr Key OTHER{{5, 6, 7, 8}};
        const DeviceBytes a(N * 4), b(N * 4), c(N * 4), d(N * 4);
        Generator g = generator(), h = generator(OTHER, 0), repeating = generator(OTHER, 320);
        repeating.set_graph_mode(TANDEM_GRAPH_REPEAT);
        begin(mode);
        g.generate(a.as<unsigned>(), N);
        h.generate(b.as<unsigned>(), N);
        g.generate(c.as<unsigned>(), N);
        repeating.generate(d.as<unsigned>(), N);
        const Graph graph = end();
        const uint64_t second = fill_span(Draw::u32, START, N).end;
        for (uint64_t launch = 0; launch < LAUNCHES; ++launch) {
            graph.launch(stream());
            EXPECT_EQ(a.read(), words(key_of_launch(KEY, launch))) << launch;
            EXPECT_EQ(b.read(), words(key_of_launch(OTHER, launch), 0)) << launch;
            EXPECT_EQ(c.read(), words(key_of_launch(KEY, launch), second)) << launch;
            EXPECT_EQ(d.read(), words(OTHER, 320)) << launch;
        }
    }
}

TEST_F(FreshGraphs, OneGeneratorInTwoGraphsAndEagerBetween) {
    const DeviceBytes a(N * 4), b(N * 4), eager(N * 4);
    Generator g = generator();
    begin();
    g.generate(a.as<unsigned>(), N);
    const Graph first = end();
    const uint64_t at_b = g.position();
    begin();
    g.generate(b.as<unsigned>(), N);
    const Graph second = end();
    for (int i = 0; i < 3; ++i) first.launch(stream());
    second.launch(stream());
    const uint64_t at_eager = g.position();
    g.generate(eager.as<unsigned>(), N);
    EXPECT_EQ(a.read(), words(key_of_launch(KEY, 2)));
    EXPECT_EQ(b.read(), words(KEY, at_b));
    EXPECT_EQ(eager.read(), words(KEY, at_eager));
    first.launch(stream());
    second.launch(stream());
    EXPECT_EQ(a.read(), words(key_of_launch(KEY, 3)));
    EXPECT_EQ(b.read(), words(key_of_launch(KEY, 1), at_b));
}

TEST_F(FreshGraphs, LaunchesInARowWithoutWaiting) {
    constexpr int MANY = 50;
    const DeviceBytes out(N * 4), kept(MANY * N * 4);
    const TestStream other;
    Generator g = generator();
    begin();
    g.generate(out.as<unsigned>(), N);
    const Graph graph = end();
    // Launches of one executable graph run one after another, on whatever streams.
    for (int i = 0; i < MANY; ++i) graph.launch(i % 2 == 0 ? static_cast<cudaStream_t>(stream()) : other);
    EXPECT_EQ(out.read(), words(key_of_launch(KEY, MANY - 1)));
    for (std::size_t i = 0; i < MANY; ++i) {
        graph.launch(stream());
        EXPECT_EQ(cudaMemcpyAsync(kept.data() + i * N * 4, out.data(), N * 4, cudaMemcpyDeviceToDevice, stream()), cudaSuccess);
    }
    std::vector<uint8_t> expected;
    for (uint64_t i = 0; i < MANY; ++i) {
        const std::vector<uint8_t> launch = words(key_of_launch(KEY, MANY + i));
        expected.insert(expected.end(), launch.begin(), launch.end());
    }
    EXPECT_EQ(kept.read(), expected);
}

TEST_F(FreshGraphs, TwoInstancesOfAGraphShareItsCount) {
    const DeviceBytes out(N * 4);
    Generator g = generator();
    begin();
    g.generate(out.as<unsigned>(), N);
    const Graph graph(stream(), 2);
    for (uint64_t launch = 0; launch < 4; ++launch) {
        graph.launch(stream(), static_cast<int>(launch % 2));
        EXPECT_EQ(out.read(), words(key_of_launch(KEY, launch))) << launch;
    }
}

TEST_F(FreshGraphs, ASeedAKeyOrAStateSetLaterHoldsForLaterLaunches) {
    const DeviceBytes out(N * 4);
    Generator g = generator(), source = generator(Key{{3, 1, 4, 1}}, 64);
    begin();
    g.generate(out.as<unsigned>(), N);
    const Graph graph = end();
    g.set_seed(99);  // before the first launch
    graph.launch(stream());
    EXPECT_EQ(out.read(), words(key_of_seed(99, 0)));
    EXPECT_EQ(g.position(), 0u);
    graph.launch(stream());
    EXPECT_EQ(out.read(), words(key_of_launch(key_of_seed(99, 0), 1)));
    g.set_key(KEY);
    graph.launch(stream());
    EXPECT_EQ(out.read(), words(key_of_launch(KEY, 2)));
    g.restore(source.save());
    graph.launch(stream());
    EXPECT_EQ(out.read(), words(key_of_launch(source.key(), 3)));
    g.set_position(7);  // geometry stays the capture's
    g.set_chunk_length(64);
    graph.launch(stream());
    EXPECT_EQ(out.read(), words(key_of_launch(source.key(), 4)));
}

TEST_F(FreshGraphs, ASeedSetWhileCapturingHoldsForTheCallsAfterIt) {
    const DeviceBytes a(N * 4), b(N * 4);
    Generator g = generator();
    begin();
    g.generate(a.as<unsigned>(), N);
    g.set_seed(7);
    g.generate(b.as<unsigned>(), N);
    const Graph graph = end();
    const Key seven = key_of_seed(7, 0), eight = key_of_seed(8, 0);
    for (uint64_t launch = 0; launch < 2; ++launch) {
        graph.launch(stream());
        EXPECT_EQ(a.read(), words(key_of_launch(KEY, launch))) << launch;
        EXPECT_EQ(b.read(), words(key_of_launch(seven, launch), 0)) << launch;
    }
    g.set_seed(8);
    graph.launch(stream());
    EXPECT_EQ(a.read(), words(key_of_launch(KEY, 2)));
    EXPECT_EQ(b.read(), words(key_of_launch(eight, 2), 0));
}

TEST_F(FreshGraphs, ChildrenTakeTheModeAndNotTheKeyInMemory) {
    const DeviceBytes a(N * 4), b(N * 4), c(N * 4);
    Generator g = generator();
    begin();
    g.generate(a.as<unsigned>(), N);
    Generator fresh = g.split(0);
    fresh.generate(b.as<unsigned>(), N);
    g.set_graph_mode(TANDEM_GRAPH_REPEAT);
    Generator repeating = g.split(1);
    repeating.generate(c.as<unsigned>(), N);
    const Graph graph = end();
    g.set_seed(1);
    graph.launch(stream());
    graph.launch(stream());
    EXPECT_EQ(a.read(), words(key_of_launch(g.key(), 1)));
    EXPECT_EQ(b.read(), words(key_of_launch(fresh.key(), 1), 0));
    EXPECT_EQ(c.read(), words(repeating.key(), 0));
}

TEST_F(FreshGraphs, AGeneratorMayBeDestroyedBeforeALaunch) {
    const DeviceBytes out(N * 4), noise(N * 4);
    std::unique_ptr<Graph> graph;
    {
        Generator g = generator();
        begin();
        g.generate(out.as<unsigned>(), N);
        graph = std::make_unique<Graph>(stream());
        g.set_seed(3);
    }
    // Captures made and dropped meanwhile would take the memory, if it had been given up.
    for (int i = 0; i < 50; ++i) {
        Generator other = generator(Key{{1, 1, 1, 1}});
        begin();
        other.generate(noise.as<unsigned>(), N);
        end().launch(stream());
    }
    for (uint64_t launch = 0; launch < 3; ++launch) {
        graph->launch(stream());
        if (launch == 2) graph.reset();  // in flight
        EXPECT_EQ(out.read(), words(key_of_launch(key_of_seed(3, 0), launch))) << launch;
    }
}

TEST_F(FreshGraphs, CapturesMadeAndDroppedLeaveMemoryFlat) {
    const DeviceBytes out(N * 4);
    std::size_t before = 0, after = 0, total = 0;
    for (int i = 0; i < 3000; ++i) {
        if (i == 1000) {
            ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
            ASSERT_EQ(cudaMemGetInfo(&before, &total), cudaSuccess);
        }
        Generator g = generator();
        begin();
        for (int fill = 0; fill < 8; ++fill) g.generate(out.as<unsigned>(), N);
        const Graph graph = end();
        g.set_seed(5);
        graph.launch(stream());
        ASSERT_EQ(cudaStreamSynchronize(stream()), cudaSuccess);
    }
    ASSERT_EQ(cudaMemGetInfo(&after, &total), cudaSuccess);
    EXPECT_GE(after + (std::size_t{1} << 20), before);
}

// Small enough for compute-sanitizer: the step before a fill, draws with and without a slow path, a seed, a graph that ends.
TEST_F(FreshGraphs, SanitizerSelection) {
    const DeviceBytes a(N * 4), b(N * 8);
    Generator g = generator();
    begin();
    g.generate(a.as<unsigned>(), N);
    g.normal(b.as<double>(), N);
    const Graph graph = end();
    graph.launch(stream());
    g.set_seed(2);
    graph.launch(stream());
    EXPECT_EQ(a.read(), words(key_of_launch(g.key(), 1)));
}

TEST_F(FreshGraphs, ARefusedCallLeavesTheCaptureValid) {
    const DeviceBytes out(N * 4);
    Generator g = generator();
    begin();
    EXPECT_EQ(tandemGenerate(g.get(), nullptr, N), TANDEM_STATUS_OUT_OF_RANGE);
    EXPECT_EQ(tandemGenerateNormal(g.get(), out.as<float>(), N, 0, -1), TANDEM_STATUS_OUT_OF_RANGE);
    EXPECT_EQ(tandemSetGraphMode(g.get(), static_cast<tandemGraphMode_t>(9)), TANDEM_STATUS_OUT_OF_RANGE);
    g.generate(out.as<unsigned>(), N);
    const Graph graph = end();
    EXPECT_EQ(g.position(), fill_span(Draw::u32, START, N).end);
    graph.launch(stream());
    EXPECT_EQ(out.read(), words(KEY));
}

}  // namespace
}  // namespace tandem::test
